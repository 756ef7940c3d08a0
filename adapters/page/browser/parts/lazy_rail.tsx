import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

type RailProps = { readonly code: string; readonly day?: string };

/** The converter, filled in with an asset, at the quotes of a past day if one is given, and the dollar by other ways: loaded after the view beside it, as prices come first. */
export function LazyRail(props: RailProps) {
  const [Loaded, setLoaded] = useState<ComponentType<RailProps>>();
  useEffect(() => void import("../views/convert.tsx").then(({ Rail }) => setLoaded(() => Rail), reportError), []);
  return Loaded === undefined ? null : <Loaded {...props} />;
}
