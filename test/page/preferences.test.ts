import assert from "node:assert/strict";
import test from "node:test";
import { choose, preferencesOf, readChoices, writeChoices } from "../../adapters/page/browser/preferences.ts";

function storageWith(text: string | null): { text: string | null; getItem(): string | null; setItem(name: string, value: string): void } {
  return {
    text,
    getItem() {
      return this.text;
    },
    setItem(_name, value) {
      this.text = value;
    },
  };
}

test("preferences: unit, calendar and digits follow the language until another is chosen", () => {
  assert.deepEqual(preferencesOf({}, "fa"), { language: "fa", unit: "toman", calendar: "jalali", digits: "persian", theme: "auto" });
  assert.deepEqual(preferencesOf({ language: "en" }, "fa"), { language: "en", unit: "rial", calendar: "gregorian", digits: "latin", theme: "auto" });
  assert.equal(preferencesOf(choose({ language: "fa", calendar: "gregorian" }, { language: "en" }, "en"), "en").calendar, "gregorian");
});

test("preferences: what was chosen is read again", () => {
  const storage = storageWith(null);
  writeChoices(() => storage, { language: "fa", unit: "toman", theme: "dark" });
  assert.deepEqual(readChoices(() => storage), { language: "fa", unit: "toman", theme: "dark" });
});

for (const text of [null, "", "{", "null", "7", '"fa"', "[]", '{"language":"de","unit":7,"key":"mz_live_x"}']) {
  test(`preferences: a storage that holds ${text} counts as no choice`, () => {
    assert.deepEqual(readChoices(() => storageWith(text)), {});
  });
}

test("preferences: a forbidden or full storage is no failure", () => {
  const forbidden = (): never => {
    throw new Error("SecurityError");
  };
  assert.deepEqual(readChoices(forbidden), {});
  writeChoices(forbidden, { theme: "dark" });
  writeChoices(() => ({ getItem: () => null, setItem: forbidden }), { theme: "dark" });
});
