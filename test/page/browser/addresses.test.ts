import assert from "node:assert/strict";
import test from "node:test";
import { addressOf, documentationOf, placeOf, shownAddress } from "../../../adapters/page/browser/data/addresses.ts";

const cases = [
  ["", "market", undefined, ""],
  ["#/", "market", undefined, ""],
  ["#/asset/USD_RLS", "asset", "USD_RLS", ""],
  ["#/asset/USD_RLS?interval=1h&x=a?b", "asset", "USD_RLS", "interval=1h&x=a%3Fb"],
  ["#/asset", "market", undefined, ""],
  ["#/asset/A%2FB/C", "asset", "A/B/C", ""],
  ["#/asset/usd_rls", "asset", "USD_RLS", ""],
  ["#/asset/100%", "asset", "100%", ""],
  ["#/constructor", "market", undefined, ""],
] as const;
test("places: a hash leads to a view, and a view's address leads back to the view", () => {
  for (const [hash, view, id, query] of cases) {
    const place = placeOf(hash);
    assert.deepEqual([place.view, place.id, place.query.toString()], [view, id, query], hash);
  }
  assert.equal(addressOf("market"), "#/");
  assert.equal(addressOf("coins"), "#/coins");
  assert.equal(addressOf("asset", "USD_RLS", { interval: "1h" }), "#/asset/USD_RLS?interval=1h");
  const { view, id, query } = placeOf(addressOf("asset", "50 % / ریال?#", new URLSearchParams({ a: "&" })));
  assert.deepEqual([view, id, query.get("a")], ["asset", "50 % / ریال?#", "&"]);
});

test("places: an asset's path leads to the asset unless a hash names another place; the address bar shows the asset's path", () => {
  const idOf = (hash: string, path: string): string | undefined => placeOf(hash, path).id;
  assert.deepEqual(
    [idOf("", "/docs/asset/USD_RLS"), idOf("", "/m/docs/asset/%C3%A9"), idOf("#/asset/EUR_RLS", "/docs/asset/USD_RLS")],
    ["USD_RLS", "É", "EUR_RLS"],
  );
  assert.equal(placeOf("#/", "/docs/asset/USD_RLS").view, "market");
  for (const path of ["/docs", "/docs/asset/", "/asset/USD_RLS/x"])
    assert.equal(placeOf("", path).view, "market", path);
  const shownAs = [
    ["#/asset/USD_RLS", "/docs/asset/USD_RLS"],
    ["#/asset/A%2F?range=1w", "/docs/asset/A%2F#/asset/A%2F?range=1w"],
    ["#/coins", "/docs#/coins"],
  ] as const;
  for (const [hash, shown] of shownAs) assert.equal(shownAddress(placeOf(hash), hash), shown);
});

const documentation = [
  [undefined, "https://a.example", undefined],
  ["https://keys.example/how", "https://a.example", "https://keys.example/how"],
  ["/guide?a=b", "https://a.example/market", "https://a.example/guide?a=b"],
  ["/docs", "https://a.example", undefined],
  ["/docs#keys", "https://a.example", undefined],
  ["/market/docs", "https://a.example/market", undefined],
  ["/docs", "https://a.example/market", "https://a.example/docs"],
  ["https://b.example/docs", "https://a.example", "https://b.example/docs"],
  ["javascript:alert(1)", "https://a.example", undefined],
] as const;
test("documentation: the operator's link is used unless it leads to the page itself or is not a web address", () => {
  for (const [documentationUrl, baseUrl, url] of documentation)
    assert.equal(documentationOf({ documentationUrl }, baseUrl), url, `${documentationUrl} at ${baseUrl}`);
});
