import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A component of a file that is loaded once `start` is called; `undefined` until it has come. */
export function useLazy<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  const start = (): void => void load().then((component) => setLoaded(() => component), reportError);
  return { Loaded, start };
}

/** The converter, filled in with an asset, and the dollar by other ways: loaded after the view beside it, as prices come first. */
export function LazyRail({ code, day }: { readonly code: string; readonly day?: string }) {
  const { Loaded, start } = useLazy(() => import("../views/convert.tsx").then(({ Rail }) => Rail));
  useEffect(start, []);
  return Loaded === undefined ? null : <Loaded code={code} {...(day !== undefined && { day })} />;
}
