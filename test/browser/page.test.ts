// The page at /docs in Chromium, on real servers. The suites are in one test, to share browser and servers.
import { test } from "node:test";
import { IS_NIGHTLY } from "../support/suite_size.ts";
import { assetSuite } from "./asset_suite.ts";
import { skip, startChromium, visits } from "./chromium.ts";
import { coinsSuite } from "./coins_suite.ts";
import { embedSuite } from "./embed_suite.ts";
import { frameSuite } from "./frame_suite.ts";
import { goldSuite } from "./gold_suite.ts";
import { guideSuite } from "./guide_suite.ts";
import { keyboardSuite } from "./keyboard_suite.ts";
import { marketSuite } from "./market_suite.ts";
import { mountSuite } from "./mount_suite.ts";
import { pastDaySuite } from "./past_day_suite.ts";
import { referenceSuite } from "./reference_suite.ts";
import { emptySite, mountedSite, ownSite, proxiedSite, quotesSite, sampleSite } from "./sites.ts";
import type { World } from "./suite_types.ts";

test("the page in Chromium", { skip, concurrency: 2 }, async (t) => {
  const [browser, sample, own, mounted, empty, corrected, quotes, proxied] = await Promise.all([
    startChromium(t),
    sampleSite(t),
    ownSite(t),
    mountedSite(t),
    emptySite(t),
    emptySite(t),
    quotesSite(t),
    proxiedSite(t),
  ]);
  const visit = visits(t, browser);
  const nightly: typeof visit = IS_NIGHTLY ? visit : async () => undefined;
  const world: World = { sample, own, mounted, empty, corrected, quotes, proxied, visit, nightly };
  await Promise.all(
    [
      marketSuite,
      assetSuite,
      coinsSuite,
      goldSuite,
      embedSuite,
      pastDaySuite,
      frameSuite,
      referenceSuite,
      guideSuite,
      keyboardSuite,
      mountSuite,
    ].map((suite) => suite(world)),
  );
});
