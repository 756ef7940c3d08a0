import type { RunVisit } from "./chromium.ts";
import type { MemorySite, Site } from "./sites.ts";

/** The servers and the browser that the suites share. */
export interface World {
  /** The sample, whose market is public, with its demo key on the page. */
  readonly sample: Site;
  /** A few prices. The page has no key of its own; `key` has three units a day. */
  readonly own: Site;
  /** Mounted below `/market` in an app, with a custom route. */
  readonly mounted: Site;
  /** A public market without prices. */
  readonly empty: MemorySite;
  /** Another public market, whose prices the tests correct. */
  readonly corrected: MemorySite;
  /** A public market with prices on 22 August and 22 November 2026. */
  readonly quotes: Site;
  /** Made-up prices behind a proxy that strips `/prices`. */
  readonly proxied: Site;
  readonly visit: RunVisit;
  /** Like `visit`, for a test that runs only in the nightly run. */
  readonly nightly: RunVisit;
}

/** Runs the tests of one subject. */
export type Suite = (world: World) => Promise<void>;
