import type { Visit, Visiting } from "./chromium.ts";
import type { emptySite, Site } from "./sites.ts";

/** What the suites work with: some servers and one browser. */
export interface World {
  /** The sample, whose market is public, with its demo key on the page. */
  readonly sample: Site;
  /** A few prices of one's own, no key on the page, and a key of three units a day. */
  readonly own: Site;
  /** Below `/market` in an app, with a route of its own. */
  readonly mounted: Site;
  /** A public market without prices. */
  readonly empty: Awaited<ReturnType<typeof emptySite>>;
  /** Another one, whose prices are corrected. */
  readonly corrected: Awaited<ReturnType<typeof emptySite>>;
  /** A public market on 22 November 2026, and on 22 August. */
  readonly quotes: Site;
  /** The sample behind a proxy that takes `/prices` off. */
  readonly proxied: Site;
  /** Runs a test in a page of its own. */
  visit(name: string, visiting: Visiting, body: (visit: Visit) => Promise<void>): Promise<void>;
}

/** The tests of one subject. */
export type Suite = (world: World) => Promise<void>;
