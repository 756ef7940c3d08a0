// Which columns without a meaning tell prices of one asset apart, and which vary for themselves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type PriceOnLine, watchColumns } from "../../../adapters/intake/tables/distinguishing_columns.ts";
import type { ColumnPlan } from "../../../adapters/intake/tables/plan_columns.ts";

const HOUR_MS = 3_600_000;
/** Not random, but without an order that texts could explain. */
const noise = (row: number): number => 1 + ((row * 7_919) % 101) / 40_000;

/** The answers that the questions about a column suggest, `missing` where there is none; the rows are hours of one day after another. */
function ask(rows: readonly (readonly [text: string, value: number])[], conflicts: readonly [number, number][] = []) {
  const columns = watchColumns({ names: ["kind"], ignored: ["kind"] } as unknown as ColumnPlan);
  for (const [line, [text]] of rows.entries()) columns.see(line, [text]);
  for (const [line, other] of conflicts) columns.conflict(line, other);
  const prices = rows.map(
    ([, value], line): PriceOnLine => ({ code: "USD_RLS", businessTime: line * HOUR_MS, value, line }),
  );
  return columns.questions(prices).map(({ set, missing }) => (missing === undefined ? set.where?.["kind"] : "missing"));
}

type TextOf = (row: number) => string;
function series(count: number, textOf: TextOf, factorOf: (row: number) => number = () => 1) {
  return Array.from(
    { length: count },
    (_, row) => [textOf(row), 1_500_000 * (1 + row / 1_000) * noise(row) * factorOf(row)] as const,
  );
}

const sides: TextOf = (row) => (row % 2 ? "buy" : "sell");
const persian: TextOf = (row) => (row % 2 ? "خريد" : " فروش ");
const cities: TextOf = (row) => "ABC"[row % 3]!;
const sessions: TextOf = (row) => (row % 2 ? "evening" : "morning");
const remarks: TextOf = (row) => ["", "late", "checked"][((row * row) % 7) % 3]!;
const spread = (row: number): number => (row % 2 ? 0.98 : 1);
const inTurn = (row: number): number => 1 + (row % 2) / 50;
const cases: readonly (readonly [rule: string, rows: ReturnType<typeof series>, asked: readonly string[]])[] = [
  ["selling is suggested where selling and buying take turns", series(4, sides, spread), ["sell"]],
  ["few rows may hide the spread between selling and buying", series(4, sides), ["sell"]],
  ["letters are alike in Persian and Arabic", series(4, persian, spread), ["فروش"]],
  ["three cities that take turns", series(60, cities, (row) => 1 + (row % 3) / 50), ["missing"]],
  ["the sides of trades have one price", series(40, sides), []],
  ["the session means nothing for a price that rises", series(40, sessions), []],
  ["few remarks at random", series(60, remarks), []],
  ["many remarks", series(60, (row) => `remark ${row}`, inTurn), []],
  ["numbers of rows", series(40, (row) => String(row % 2), inTurn), []],
];
for (const [rule, rows, asked] of cases) {
  test(`columns that tell prices apart: ${rule}`, () => assert.deepEqual(ask(rows), asked));
}

test("columns that tell prices apart: two values at one time ask, however late in the file", () => {
  const rows = series(5_000, (row) => (row === 4_999 ? "Herat" : "Tehran"));
  assert.deepEqual(ask(rows, [[0, 4_999]]), ["missing"]);
  assert.deepEqual(ask(rows, [[0, 1]]), []);
});

test("columns that tell prices apart: two numbers at one time are enough where a file has no more", () => {
  const rows = [
    ["750", 200_800_000],
    ["999", 267_465_600],
  ] as const;
  assert.deepEqual(ask(rows, [[0, 1]]), ["missing"]);
});
