// The key and the choices in the browser's storage, which may be damaged or forbidden.
import assert from "node:assert/strict";
import test from "node:test";
import { keepKey, readKey, writeStored } from "../../../adapters/page/browser/data/device.ts";
import { choose, preferencesOf, readChoices } from "../../../adapters/page/browser/data/preferences.ts";

/** Replaces a storage of the browser; a function that throws stands for forbidden storage. */
function install(name: "sessionStorage" | "localStorage", get: () => object): void {
  Object.defineProperty(globalThis, name, { configurable: true, get });
}

/** Installs empty storage; returns what the device keeps. */
function allowStorage(): Map<string, string> {
  const [tab, device] = [new Map<string, string>(), new Map<string, string>()].map((texts) => ({
    texts,
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    removeItem: (key: string) => void texts.delete(key),
  })) as [object, { texts: Map<string, string> }];
  install("sessionStorage", () => tab);
  install("localStorage", () => device);
  return device.texts;
}

test("preferences: the unit follows the language until a unit is chosen; a new language resets the unit", () => {
  assert.deepEqual(preferencesOf({}, "fa"), { language: "fa", unit: "toman", theme: "auto" });
  assert.deepEqual(preferencesOf({ language: "en" }, "fa"), { language: "en", unit: "rial", theme: "auto" });
  const chosen = { language: "en", unit: "toman" } as const;
  assert.deepEqual(choose(chosen, { theme: "dark" }), { ...chosen, theme: "dark" });
  assert.deepEqual(choose({ ...chosen, theme: "dark" }, { language: "fa" }), { language: "fa", theme: "dark" });
});

test("storage: damaged texts count as a missing key or choice, and cause no error", () => {
  const device = allowStorage();
  keepKey("mz_live_x", "device");
  writeStored("preferences", { language: "fa", unit: "toman", theme: "dark" });
  assert.deepEqual(readKey(), { key: "mz_live_x", keep: "device" });
  assert.deepEqual(readChoices(), { language: "fa", unit: "toman", theme: "dark" });
  const damaged = ' { null 7 "fa" [] "" {"language":"de","unit":7,"key":"mz_live_x","__proto__":"en"}';
  for (const text of damaged.split(" ")) {
    device.set("mazaneh.preferences", text);
    assert.deepEqual(readChoices(), {}, text);
  }
  for (const text of ["{", "7", "null", '""']) {
    device.set("mazaneh.key", text);
    assert.equal(readKey().key, undefined, text);
  }
});

test("storage: if the browser forbids it, nothing is kept, and there is no error", () => {
  const forbid = () => assert.fail("SecurityError");
  install("sessionStorage", forbid);
  install("localStorage", forbid);
  keepKey("mz_live_x", "tab");
  writeStored("preferences", { theme: "dark" });
  assert.deepEqual([readKey(), readChoices()], [{ key: undefined, keep: "tab" }, {}]);
});
