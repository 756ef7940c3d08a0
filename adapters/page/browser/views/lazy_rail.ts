import { afterwards } from "../parts/lazy_parts.tsx";

/** The converter for an asset, and the implied dollar rates. */
export const LazyRail = afterwards<{ readonly code: string; readonly day?: string }>(() =>
  import("./convert.tsx").then(({ Rail }) => Rail),
);
