import type { ComponentType } from "preact";
import { useState } from "preact/hooks";

/** A component of a file that is loaded once `start` is called; `undefined` until it has come. */
export function useLazy<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  const start = (): void => void load().then((component) => setLoaded(() => component), reportError);
  return { Loaded, start };
}
