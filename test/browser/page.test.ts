// The page at /docs in Chromium, on real servers. One test around all, so that they share a browser and the servers.
import { test } from "node:test";
import { assetSuite } from "./asset.ts";
import { skip, startChromium, visit } from "./chromium.ts";
import { frameSuite } from "./frame.ts";
import { guideSuite } from "./guide.ts";
import { keyboardSuite } from "./keyboard.ts";
import { marketSuite } from "./market.ts";
import { mountSuite } from "./mount.ts";
import { referenceSuite } from "./reference.ts";
import { referenceFormSuite } from "./reference_form.ts";
import { bazaarSite, mountedSite, ownSite, proxiedSite, sampleSite } from "./sites.ts";
import { weightSuite } from "./weight.ts";
import type { World } from "./world.ts";

test("the page in Chromium", { skip, concurrency: 2 }, async (t) => {
  const [browser, sample, own, mounted] = await Promise.all([startChromium(t), sampleSite(t), ownSite(t), mountedSite(t)]);
  const [proxied, bazaar, ending] = await Promise.all([proxiedSite(t, sample), bazaarSite(t), bazaarSite(t)]);
  const world: World = { sample, own, mounted, proxied, bazaar, ending, visit: (name, visiting, body) => visit(t, browser, name, visiting, body) };
  await Promise.all([marketSuite, assetSuite, frameSuite, referenceSuite, referenceFormSuite, guideSuite, keyboardSuite, mountSuite, weightSuite].map((suite) => suite(world)));
});
