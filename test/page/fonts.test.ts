// The page's two fonts contain all characters that pages show. make.py lists the fonts' characters in characters.txt.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { test } from "node:test";
import { createFormat } from "../../adapters/page/browser/data/format.ts";
import { preferencesOf } from "../../adapters/page/browser/data/preferences.ts";
import { ADVICE, FILES, GUIDES, PERSIAN } from "../../adapters/page/built_files.ts";
import { ASSETS } from "../../core/mod.ts";

const FOLDER = new URL("../../adapters/page/fonts/", import.meta.url);
/** Characters that are in neither of the fonts' packages. */
const OF_SYSTEMS = "▲▼●◐★✓";
/** Characters in the scripts' code that pages never show. */
const NEVER_SHOWN = "؋֏₼₾₹₺₽＝＋－＠\ufffd\u2067\u2069";
/** The characters that Persian pages display in Vazirmatn: Arabic letters and invisible direction marks. */
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

/** Everything that is shown: texts, names and documents in both languages, and the output of `Intl`. */
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

test("fonts: every character that the page writes is in its font, except for a few that neither font has", () => {
  const shown = [...new Set(shownTexts())].filter((character) => !`${OF_SYSTEMS}${NEVER_SHOWN}`.includes(character));
  const missing = shown.filter((character) => !(PERSIAN_PART.test(character) ? VAZIRMATN : INTER).has(character));
  assert.deepEqual(missing, []);
});

test("fonts: can write names in Persian, Arabic, Kurdish and Urdu, and their digits", () => {
  const wanted = "ءآأؤإئابةتثجحخدذرزسشصضطظعغفقكلمنهوىيپچژکگیۀًٌٍَُِّْٓٔڕڤڵۆێەھٹڈڑںہےۓ٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹٪٫٬،؛؟ـ\u200c\u200d";
  for (const character of wanted) assert.ok(VAZIRMATN.has(character), character);
});

test("fonts: an English page loads at most 18 kB of fonts, a Persian page 42 kB", () => {
  const [inter, vazirmatn] = ["inter", "vazirmatn"].map((name) => statSync(new URL(`${name}.woff2`, FOLDER)).size) as [
    number,
    number,
  ];
  assert.ok(inter <= 18_000 && inter + vazirmatn <= 42_000, `${inter} and ${vazirmatn} bytes`);
});
