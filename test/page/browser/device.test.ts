import assert from "node:assert/strict";
import test from "node:test";
import { keepKey, readKey } from "../../../adapters/page/browser/data/device.ts";
import { withStorage } from "./storage.ts";

for (const keep of ["tab", "device"] as const) {
  test(`key: kept in ${keep}, it is there and nowhere else; once forgotten, it is nowhere`, () => {
    const { tab, device } = withStorage();
    keepKey("mz_live_other", "device");
    keepKey("mz_live_x", keep);
    assert.deepEqual([tab.size, device.size], [keep === "tab" ? 1 : 0, keep === "device" ? 1 : 0]);
    assert.deepEqual(readKey(), { key: "mz_live_x", keep });
    keepKey(undefined, "tab");
    assert.deepEqual([tab.size, device.size], [0, 0]);
  });
}

test("key: forbidden or damaged storage keeps no key, without an error", () => {
  withStorage("forbidden");
  keepKey("mz_live_x", "tab");
  assert.deepEqual(readKey(), { key: undefined, keep: "tab" });
  const { device } = withStorage();
  for (const text of ["{", "7", "null", '""']) {
    device.set("mazaneh.key", text);
    assert.equal(readKey().key, undefined, text);
  }
});
