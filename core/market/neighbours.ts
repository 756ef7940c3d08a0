import type { Observation } from "./observation.ts";

/** The observations of an asset at a business time and next to it. */
export interface Neighbours {
  /** The accepted or rejected observation at that time. */
  readonly at: Observation | undefined;
  /** The pending observations at that time, each from a different source. Absent: none. */
  readonly pending?: readonly (Observation & { readonly source: string })[];
  /** The accepted observation before it. */
  readonly before: Observation | undefined;
  /** The accepted observation after it. */
  readonly after: Observation | undefined;
}
