import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

type RailProps = { readonly code: string };

/** The converter, filled in with an asset, and the dollar by other ways: loaded after the view beside it, as prices come first. */
export function LazyRail({ code }: RailProps) {
  const [Loaded, setLoaded] = useState<ComponentType<RailProps>>();
  useEffect(() => void import("../views/convert.tsx").then(({ Rail }) => setLoaded(() => Rail), reportError), []);
  return Loaded === undefined ? null : <Loaded code={code} />;
}
