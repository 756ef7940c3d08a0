import type { Observation } from "./observation.ts";

/** What a store has at a business time of an asset, and next to it. */
export interface Neighbours {
  /** The observation of that time, whatever its status. */
  readonly at: Observation | undefined;
  /** The accepted observation before it. */
  readonly before: Observation | undefined;
  /** The accepted observation after it. */
  readonly after: Observation | undefined;
}
