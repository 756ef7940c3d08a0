import { tagTests } from "./entity_tags.ts";
import type { SuiteObservations } from "./expected_observations.ts";
import { INGESTED } from "./ingested.ts";
import { REFUSALS } from "./invalid_writes.ts";
import { READS } from "./reads.ts";
import { type Handles, type Opener, runCases } from "./suite.ts";
import { versionTests } from "./versions.ts";
import { WRITES } from "./writes.ts";

/** Tests that every store of observations must pass. `open` returns an empty store for each test. */
export function observationsSuite(name: string, open: Opener<SuiteObservations>, handles: Handles = {}): void {
  runCases(name, [...WRITES, ...READS, ...REFUSALS, ...INGESTED], open, handles);
  versionTests(name, open, handles);
  tagTests(name, open, handles);
}
