import assert from "node:assert/strict";
import test from "node:test";
import { writeStored } from "../../../adapters/page/browser/data/device.ts";
import { choose, preferencesOf, readChoices } from "../../../adapters/page/browser/data/preferences.ts";
import { withStorage } from "./storage.ts";

test("preferences: the unit follows the language until one is chosen, and is reset with the language", () => {
  assert.deepEqual(preferencesOf({}, "fa"), { language: "fa", unit: "toman", theme: "auto" });
  assert.deepEqual(preferencesOf({ language: "en" }, "fa"), { language: "en", unit: "rial", theme: "auto" });
  const chosen = { language: "en", unit: "toman" } as const;
  assert.deepEqual(choose(chosen, { theme: "dark" }), { ...chosen, theme: "dark" });
  assert.deepEqual(choose({ ...chosen, theme: "dark" }, { language: "fa" }), { language: "fa", theme: "dark" });
});

test("preferences: stored choices are read again; damaged or forbidden storage counts as no choice, without an error", () => {
  const { device } = withStorage();
  writeStored("preferences", { language: "fa", unit: "toman", theme: "dark" });
  assert.deepEqual(readChoices(), { language: "fa", unit: "toman", theme: "dark" });
  const damaged = ' { null 7 "fa" [] {"language":"de","unit":7,"key":"mz_live_x","__proto__":"en"}';
  for (const text of damaged.split(" ")) {
    device.set("mazaneh.preferences", text);
    assert.deepEqual(readChoices(), {}, text);
  }
  withStorage("forbidden");
  writeStored("preferences", { theme: "dark" });
  assert.deepEqual(readChoices(), {});
});
