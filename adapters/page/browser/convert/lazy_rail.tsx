import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadFile } from "../load_file.ts";

/** The converter and the dollar by other ways, beside the market and an asset: loaded after them, as prices come first. */
export function LazyRail({ isWanted }: { readonly isWanted: boolean }) {
  const [Found, setFound] = useState<ComponentType>();
  useEffect(() => {
    if (!isWanted || Found !== undefined) return;
    void loadFile(() => import("./card.tsx")).then(({ Rail }) => setFound(() => Rail), reportError);
  }, [isWanted]);
  return Found === undefined ? null : <Found />;
}
