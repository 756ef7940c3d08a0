import assert from "node:assert/strict";
import test from "node:test";
import { addressOf, placeOf } from "../../adapters/page/browser/places.ts";

const cases = [
  ["", "market", undefined, ""],
  ["#/", "market", undefined, ""],
  ["#/asset/USD_RLS", "asset", "USD_RLS", ""],
  ["#/asset/USD_RLS?interval=1h&x=a?b", "asset", "USD_RLS", "interval=1h&x=a%3Fb"],
  ["#/asset", "market", undefined, ""],
  ["#/reference/getAsset", "reference", "getAsset", ""],
  ["#/guide/a%2Fb/c", "guide", "a/b/c", ""],
  ["#/guide/100%", "guide", "100%", ""],
  ["#/constructor", "market", undefined, ""],
] as const;
for (const [hash, view, id, query] of cases) {
  test(`places: "${hash}" leads to ${view}${id === undefined ? "" : `, ${id}`}`, () => {
    const place = placeOf(hash);
    assert.deepEqual([place.view, place.id, place.query.toString()], [view, id, query]);
  });
}

test("places: an address leads back to its place", () => {
  assert.equal(addressOf("market"), "#/");
  assert.equal(addressOf("guide"), "#/guide");
  assert.equal(addressOf("asset", "USD_RLS", { interval: "1h" }), "#/asset/USD_RLS?interval=1h");
  const { view, id, query } = placeOf(addressOf("guide", "50 % / ریال?#", new URLSearchParams({ a: "&" })));
  assert.deepEqual([view, id, query.get("a")], ["guide", "50 % / ریال?#", "&"]);
});
