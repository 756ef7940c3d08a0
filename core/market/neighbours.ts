import type { Observation } from "./observation.ts";

/** What a store has at a business time of an asset, and next to it. */
export interface Neighbours {
  /** The observation of that time, accepted or rejected. */
  readonly at: Observation | undefined;
  /** The pending ones of that time, each of another source. Absent: none. */
  readonly pending?: readonly (Observation & { readonly source: string })[];
  /** The accepted observation before it. */
  readonly before: Observation | undefined;
  /** The accepted observation after it. */
  readonly after: Observation | undefined;
}
