import type { Observation } from "./observation.ts";

/** The observations of an asset at a business time, and the nearest ones before and after that time. */
export interface Neighbours {
  /** The accepted or rejected observation at that time. */
  readonly at: Observation | undefined;
  /** The pending observations at that time, each from a different source. Absent: none. */
  readonly pending?: readonly (Observation & { readonly source: string })[];
  /** The nearest accepted observation before that time. */
  readonly before: Observation | undefined;
  /** The nearest accepted observation after that time. */
  readonly after: Observation | undefined;
}
