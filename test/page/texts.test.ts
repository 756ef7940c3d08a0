import assert from "node:assert/strict";
import test from "node:test";
import { ASSET } from "../../adapters/page/browser/asset/messages.ts";
import { COINS } from "../../adapters/page/browser/coins/messages.ts";
import { CONVERT } from "../../adapters/page/browser/convert/messages.ts";
import { fill, textsIn } from "../../adapters/page/browser/texts.ts";

test("texts: a value stands where its name is, as it is, in both languages", () => {
  const TABLE = { of: ["{some} of {all}, {some}", "{all} از {some}"] } as const;
  assert.deepEqual((["en", "fa"] as const).map((language) => fill(textsIn(TABLE, language).of, { some: "$&{all}", all: "7" })), ["$&{all} of 7, $&{all}", "7 از $&{all}"]);
});

test("texts: both languages have the same values", () => {
  const placesOf = (text: unknown): string => JSON.stringify([...new Set(String(text).match(/\{\w+\}/g))].sort());
  for (const [name, [en, fa]] of [ASSET, COINS, CONVERT].flatMap((table) => Object.entries(table))) assert.equal(placesOf(en), placesOf(fa), name);
});
