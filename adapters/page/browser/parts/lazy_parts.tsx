import type { ComponentType, FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Returns a component whose file is loaded when `start` is called; `undefined` until it is loaded. */
export function useLazy<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  const start = (): void => void load().then((component) => setLoaded(() => component), reportError);
  return { Loaded, start };
}

/** A component that is loaded after the view that contains it, so that prices appear first. */
export function afterwards<Props extends object>(load: () => Promise<ComponentType<Props>>): FunctionComponent<Props> {
  return (props) => {
    const { Loaded, start } = useLazy(load);
    useEffect(start, []);
    return Loaded === undefined ? null : <Loaded {...props} />;
  };
}

/** Explains a failure. */
export const FailureBox = afterwards(() => import("./failure_box.tsx").then(({ FailureBox }) => FailureBox));

/** Says that the server cannot be reached. */
export const OfflineNotice = afterwards(() => import("./failure_box.tsx").then(({ OfflineNotice }) => OfflineNotice));
