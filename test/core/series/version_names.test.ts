import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssetCode } from "../../../core/brand.ts";
import { createVersionNames } from "../../../core/series/version_names.ts";

test("version names: each asset, and all together, have the name of their last change, which is made once", () => {
  const [usd, eur] = ["USD_RLS", "EUR_RLS"] as const satisfies readonly AssetCode[];
  const sequences = new Map<AssetCode | undefined, number>([[usd, 3], [eur, 5], [undefined, 5]]);
  const made: number[] = [];
  const version = createVersionNames(
    (code) => sequences.get(code) ?? 0,
    (sequence) => {
      made.push(sequence);
      return `store.${sequence}`;
    },
  );
  const asked = (): string[] => [usd, eur, undefined].map((code) => version(code));
  for (let times = 0; times < 3; times++) assert.deepEqual(asked(), ["store.3", "store.5", "store.5"]);
  assert.deepEqual(made, [3, 5, 5]);
  sequences.set(usd, 6).set(undefined, 6);
  for (let times = 0; times < 3; times++) assert.deepEqual(asked(), ["store.6", "store.5", "store.6"]);
  assert.deepEqual(made, [3, 5, 5, 6, 6]);
});
