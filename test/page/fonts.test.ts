// What the two fonts of the page hold: adapters/page/fonts/make.py writes characters.txt with them.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { createFormat } from "../../adapters/page/browser/data/format.ts";
import { preferencesOf } from "../../adapters/page/browser/data/preferences.ts";
import { ADVICE, FILES, GUIDES, PERSIAN } from "../../adapters/page/built_files.ts";
import { ASSETS } from "../../core/mod.ts";

const FOLDER = new URL("../../adapters/page/fonts/", import.meta.url);
/** Signs that the package of neither font has. */
const OF_SYSTEMS = "▲▼●◐★✓";
/** What scripts know without showing it: signs of money that people type in the search, first signs of formulas in CSV, and what has no shape. */
const NEVER_SHOWN = "؋֏₼₾₹₺₽＝＋－＠\ufffd\u2067\u2069";
/** From Arabic letters to marks that show nothing and tell where text runs: what Persian pages take from Vazirmatn. */
const PERSIAN_PART = /[\u0600-\u06ff\u200c-\u200e]/;
const [VAZIRMATN, INTER] = ["vazirmatn", "inter"].map(charactersOf) as [Set<string>, Set<string>];

function charactersOf(font: string): Set<string> {
  const [, ranges] = new RegExp(`^${font} (.*)$`, "m").exec(readFileSync(new URL("characters.txt", FOLDER), "utf8"))!;
  return new Set(
    [...ranges!.matchAll(/U\+(\w+)(?:-(\w+))?/g)].flatMap(([, first, last = first]) => {
      const start = parseInt(first!, 16);
      return Array.from({ length: parseInt(last!, 16) - start + 1 }, (_, index) => String.fromCodePoint(start + index));
    }),
  );
}

/** All that is shown: texts, names and documents in both languages, and what `Intl` writes. */
function shownTexts(): string {
  const names = ASSETS.flatMap(({ labelEn, labelFa }) => [labelEn, labelFa]);
  const scripts = Object.entries(FILES).flatMap(([name, text]) =>
    /\.(?:js|css)$/.test(name) && !name.startsWith("chart") ? [text] : [],
  );
  const formats = (["en", "fa"] as const).map((language) => {
    const format = createFormat(preferencesOf({}, language), "Asia/Tehran");
    const months = Array.from({ length: 12 }, (_, month) => format.dateTimeInZone(Date.UTC(2026, month, 25)));
    return [
      ...months,
      format.marketZone(),
      format.price(-1_234_567_890.5, "USD"),
      format.percent(-0.123),
      format.percent(0.45),
      format.age(0, 9e7),
      format.age(9e7, 0),
    ].join("");
  });
  return JSON.stringify([
    names,
    scripts,
    formats,
    Object.values(GUIDES),
    Object.entries(PERSIAN),
    Object.values(ADVICE),
  ]);
}

test("fonts: all that the page writes is in one of the two, but for a few signs that neither has", () => {
  const shown = [...new Set(shownTexts())].filter((character) => !`${OF_SYSTEMS}${NEVER_SHOWN}`.includes(character));
  assert.deepEqual(
    shown.filter((character) => PERSIAN_PART.test(character) && !VAZIRMATN.has(character)),
    [],
    "not in Vazirmatn",
  );
  assert.deepEqual(
    shown.filter((character) => !PERSIAN_PART.test(character) && !INTER.has(character)),
    [],
    "not in Inter",
  );
});

test("fonts: names of Persian, Arabic, Kurdish and Urdu can be written, and figures of all of them", () => {
  const wanted = "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژکگیۀًٌٍَُِّْٓٔڕڤڵۆێەھٹڈڑںہےۓ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹٪٫٬،؛؟ـ\u200c\u200d";
  assert.deepEqual(
    [...wanted].filter((character) => !VAZIRMATN.has(character)),
    [],
  );
});

test("fonts: what an English page loads takes at most 18 kB, a Persian one 42 kB", () => {
  const [inter, vazirmatn] = ["inter", "vazirmatn"].map((name) => statSync(new URL(`${name}.woff2`, FOLDER)).size) as [
    number,
    number,
  ];
  assert.ok(inter <= 18_000 && inter + vazirmatn <= 42_000, `${inter} and ${vazirmatn} bytes`);
});
