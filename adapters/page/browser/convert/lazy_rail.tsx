import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

/** The converter and the dollar by other ways, beside the market and an asset: loaded after them, as prices come first. */
export function LazyRail() {
  const [Found, setFound] = useState<ComponentType>();
  useEffect(() => void import("./view.tsx").then(({ Rail }) => setFound(() => Rail), reportError), []);
  return Found === undefined ? null : <Found />;
}
