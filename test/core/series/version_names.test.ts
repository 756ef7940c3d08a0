import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssetCode } from "../../../core/brand.ts";
import { createVersionNames } from "../../../core/series/version_names.ts";

const [USD, EUR, BTC] = ["USD_RLS", "EUR_RLS", "BTC_USD"] as const satisfies readonly AssetCode[];

/** Names of a store with these changes, and what was made for them. */
function named(changes: readonly (readonly [AssetCode, number])[]) {
  const sequences = new Map<AssetCode | undefined, number>(changes);
  const sequence = (code?: AssetCode): number => (code ? (sequences.get(code) ?? 0) : Math.max(0, ...sequences.values()));
  const made: number[] = [];
  const version = createVersionNames({ sequence }, (last) => {
    made.push(last);
    return `store.${last}`;
  });
  return { version, made, change: (code: AssetCode, at: number) => void sequences.set(code, at) };
}

test("version names: one asset, some, and all together have the name of their last change, which is made once", () => {
  const { version, made, change } = named([[USD, 3], [EUR, 5], [BTC, 7]]);
  const lists = [[USD], [EUR], [USD, EUR], [EUR, BTC], undefined];
  const asked = (): string[] => lists.map((codes) => version(codes));
  for (let times = 0; times < 3; times++) assert.deepEqual(asked(), ["store.3", "store.5", "store.5", "store.7", "store.7"]);
  assert.deepEqual(made, [3, 5, 5, 7, 7]);
  change(USD, 8);
  for (let times = 0; times < 3; times++) assert.deepEqual(asked(), ["store.8", "store.5", "store.8", "store.7", "store.8"]);
});

test("version names: an asset without a record, a list of none, and an empty store have the name of no change", () => {
  const { version } = named([[USD, 3]]);
  assert.deepEqual([version([EUR]), version([EUR, BTC]), version([])], ["store.0", "store.0", "store.0"]);
  assert.equal(named([]).version(), "store.0");
});
