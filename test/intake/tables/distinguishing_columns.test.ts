// Which unknown columns tell several prices of one asset apart, and which do not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type PriceOnLine, watchColumns } from "../../../adapters/intake/tables/distinguishing_columns.ts";
import type { ColumnPlan } from "../../../adapters/intake/tables/plan_columns.ts";

const HOUR_MS = 3_600_000;
/** A factor for each row, which is the same in every run, but unrelated to the row's text. */
const noise = (row: number): number => 1 + ((row * 7_919) % 101) / 40_000;

/** The suggested answers to questions about columns; `missing` if none is suggested. Rows are an hour apart. */
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
  ["selling prices are suggested if selling and buying alternate", series(4, sides, spread), ["sell"]],
  ["selling prices are suggested even if a few rows show no spread", series(4, sides), ["sell"]],
  ["Persian and Arabic letters count as the same", series(4, persian, spread), ["فروش"]],
  ["three cities that alternate", series(60, cities, (row) => 1 + (row % 3) / 50), ["missing"]],
  ["no question if both sides of trades have the same price", series(40, sides), []],
  ["no question about morning and evening sessions if the price rises", series(40, sessions), []],
  ["few remarks at random", series(60, remarks), []],
  ["many remarks", series(60, (row) => `remark ${row}`, inTurn), []],
  ["numbers of rows", series(40, (row) => String(row % 2), inTurn), []],
];
for (const [rule, rows, asked] of cases) {
  test(`distinguishing columns: ${rule}`, () => assert.deepEqual(ask(rows), asked));
}

test("distinguishing columns: two values for one time raise a question, however late in the file", () => {
  const rows = series(5_000, (row) => (row === 4_999 ? "Herat" : "Tehran"));
  assert.deepEqual(ask(rows, [[0, 4_999]]), ["missing"]);
  assert.deepEqual(ask(rows, [[0, 1]]), []);
});

test("distinguishing columns: two values for one time raise a question even if the file has no more rows", () => {
  const rows = [
    ["750", 200_800_000],
    ["999", 267_465_600],
  ] as const;
  assert.deepEqual(ask(rows, [[0, 1]]), ["missing"]);
});
