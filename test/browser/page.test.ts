// The page at /docs in Chromium, on real servers. One test around all, so that they share a browser and the servers.
import { test } from "node:test";
import { assetSuite } from "./asset.ts";
import { skip, startChromium, visits } from "./chromium.ts";
import { coinsSuite } from "./coins.ts";
import { frameSuite } from "./frame.ts";
import { guideSuite } from "./guide.ts";
import { keyboardSuite } from "./keyboard.ts";
import { marketSuite } from "./market.ts";
import { mountSuite } from "./mount.ts";
import { referenceSuite } from "./reference.ts";
import { emptySite, mountedSite, ownSite, proxiedSite, sampleSite } from "./sites.ts";
import type { World } from "./suite_types.ts";

test("the page in Chromium", { skip, concurrency: 2 }, async (t) => {
  const [browser, sample, own, mounted, empty] = await Promise.all([
    startChromium(t),
    sampleSite(t),
    ownSite(t),
    mountedSite(t),
    emptySite(t),
  ]);
  const proxied = await proxiedSite(t, sample);
  const world: World = { sample, own, mounted, empty, proxied, visit: visits(t, browser) };
  await Promise.all(
    [marketSuite, assetSuite, coinsSuite, frameSuite, referenceSuite, guideSuite, keyboardSuite, mountSuite].map(
      (suite) => suite(world),
    ),
  );
});
