import assert from "node:assert/strict";
import { test } from "node:test";
import { marketAddress, parseMarketChoice } from "../../adapters/page/browser/market/choice.ts";
import type { MarketChoice } from "../../adapters/page/browser/market/choice.ts";
import { placeOf } from "../../adapters/page/browser/places.ts";
import { ASSETS } from "../../core/mod.ts";

const ALL: MarketChoice = { query: "", category: "", unit: "", sorting: undefined };

function read(address: string): MarketChoice {
  return parseMarketChoice(placeOf(address).query, ASSETS);
}

const written: readonly (readonly [string, MarketChoice])[] = [
  ["#/", ALL],
  ["#/?search=gold", { ...ALL, query: "gold" }],
  ["#/?search=a%26b%3D%231+%25", { ...ALL, query: "a&b=#1 %" }],
  ["#/?category=GOLD&sort=change", { ...ALL, category: "GOLD", sorting: { column: "change", direction: "descending" } }],
  ["#/?unit=POINT&sort=change&order=ascending", { ...ALL, unit: "POINT", sorting: { column: "change", direction: "ascending" } }],
  ["#/?sort=name&order=descending", { ...ALL, sorting: { column: "name", direction: "descending" } }],
];
for (const [address, choice] of written) {
  test(`market choice: ${address} is written and read`, () => {
    assert.equal(marketAddress(choice, undefined), address);
    assert.deepEqual(read(address), choice);
  });
}

const typed: readonly (readonly [string, string])[] = [
  ["#/?category=gold&unit=rls", "#/?category=GOLD&unit=RLS"],
  ["#/?category=HATS&unit=EUR&sort=colour&order=up", "#/"],
  ["#/?category=constructor&sort=toString", "#/"],
  ["#/?sort=price&order=descending", "#/?sort=price"],
  ["#/nope?search=gold&utm=x", "#/?search=gold"],
];
for (const [address, own] of typed) {
  test(`market choice: ${address} is ${own}`, () => assert.equal(marketAddress(read(address), undefined), own));
}

const secrets = ["mz_live_3kT9xQ2a_k", "sk_live_0123456789abcdef", "aB3".repeat(12), "m".repeat(41), " the-key ", "in the-key in"];
for (const query of secrets) {
  test(`market choice: a search for "${query}" is in no address, and all else is`, () => {
    assert.equal(marketAddress({ ...ALL, query, category: "GOLD" }, "the-key"), "#/?category=GOLD");
  });
}
