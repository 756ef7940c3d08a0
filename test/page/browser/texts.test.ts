import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import { fill } from "../../../adapters/page/browser/texts/fill.ts";

const TEXTS = "adapters/page/browser/texts";

test("texts: a value is inserted unchanged in place of its placeholder", () => {
  assert.deepEqual(
    (["{some} of {all}, {some}", "{all} از {some}"] as const).map((text) => fill(text, { some: "$&{all}", all: "7" })),
    ["$&{all} of 7, $&{all}", "7 از $&{all}"],
  );
});

test("texts: each row of a table has a name, and the same placeholders in both languages", () => {
  const placesOf = (text: string): string => JSON.stringify([...new Set(text.match(/\{\w+\}/g))].sort());
  const tables = readdirSync(TEXTS).filter((name) => name.endsWith(".md"));
  const rows = tables.flatMap((name) =>
    readFileSync(`${TEXTS}/${name}`, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("| "))
      .slice(1),
  );
  assert.ok(rows.length > 200, `${rows.length} rows`);
  for (const row of rows) {
    const [name, en, fa, ...more] = row.slice(2, -2).split(" | ");
    assert.deepEqual(
      [/^\w+(?:\.\w+)?$/.test(name!), en !== "", fa === undefined || fa === "", more],
      [true, true, false, []],
      row,
    );
    assert.equal(placesOf(en!), placesOf(fa!), row);
  }
});
