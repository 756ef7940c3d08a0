import { useEffect } from "preact/hooks";
import { useLazy } from "./use_lazy.ts";

/** The converter, filled in with an asset, and the dollar by other ways: loaded after the view beside it, as prices come first. */
export function LazyRail({ code }: { readonly code: string }) {
  const { Loaded, start } = useLazy(() => import("../views/convert.tsx").then(({ Rail }) => Rail));
  useEffect(start, []);
  return Loaded === undefined ? null : <Loaded code={code} />;
}
