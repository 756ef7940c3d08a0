import assert from "node:assert/strict";
import test from "node:test";
import { keepKey, readKey } from "../../adapters/page/browser/access.ts";
import type { Storages } from "../../adapters/page/browser/access.ts";
import { readWatched, toggleWatched } from "../../adapters/page/browser/market/watch.ts";

function storages(): Storages & { readonly held: readonly Map<string, string>[] } {
  const held = [new Map<string, string>(), new Map<string, string>()];
  const storage = (at: number) => ({
    getItem: (name: string) => held[at]!.get(name) ?? null,
    setItem: (name: string, text: string) => void held[at]!.set(name, text),
    removeItem: (name: string) => void held[at]!.delete(name),
  });
  return { held, tab: () => storage(0), device: () => storage(1) };
}

for (const keep of ["tab", "device"] as const) {
  test(`key: kept in ${keep}, it is there and nowhere else, and forgotten it is nowhere`, () => {
    const kept = storages();
    keepKey(kept, { key: "mz_live_other", keep: "device" });
    keepKey(kept, { key: "mz_live_x", keep });
    assert.deepEqual(kept.held.map(({ size }) => size), [keep === "tab" ? 1 : 0, keep === "device" ? 1 : 0]);
    assert.deepEqual(readKey(kept), { key: "mz_live_x", keep });
    keepKey(kept, { key: undefined, keep: "tab" });
    assert.deepEqual(kept.held.map(({ size }) => size), [0, 0]);
  });
}

test("key: a forbidden storage keeps none, and is no failure", () => {
  const forbidden = (): never => {
    throw new Error("SecurityError");
  };
  const kept: Storages = { tab: forbidden, device: forbidden };
  keepKey(kept, { key: "mz_live_x", keep: "tab" });
  assert.deepEqual(readKey(kept), { key: undefined, keep: "tab" });
});

test("watch list: it is kept on the device; a second time takes an asset off; a damaged or forbidden storage is an empty list", () => {
  const device = storages().device;
  const list = toggleWatched(device, toggleWatched(device, readWatched(device), "USD_RLS"), "EUR_RLS");
  assert.deepEqual([...readWatched(device)], [...list]);
  assert.deepEqual([...toggleWatched(device, list, "USD_RLS")], ["EUR_RLS"]);
  for (const text of ["{", "7", "{}", "null", "[7]"]) assert.equal(readWatched(() => ({ getItem: () => text, setItem: () => {} })).size, 0, text);
});
