// Measures the time from a query for candles to the bytes of the answer. The data are ten years of minute prices.
// Compares three ways to hold the prices in memory, each in its own process: the columns that the candle route reads,
// a DuckDB table, and an array of objects.
//
//   npx tsx test/bench/candles.ts [--rounds 5]

import { type Answered, QUERIES, type Question } from "./candles/minutes.ts";
import { HOME, havePeers } from "./support/peers.ts";
import { buildPrograms, start } from "./support/processes.ts";
import { begin, compare, digits, printTable } from "./support/report.ts";

const CHILD = "test/bench/candles/child.ts";
type Ask = (question: Question) => Promise<Answered>;

const { rounds } = begin("candles", {});
const program = (await buildPrograms(CHILD))(CHILD);
const contestants = new Map<string, Ask>();
for (const name of ["mazaneh", "plain objects", ...(havePeers("@duckdb/node-api") ? ["DuckDB"] : [])]) {
  const child = start([program, name, HOME]);
  await child.printed(/(ready)/);
  contestants.set(name, async (question) => (await child.ask(question)) as Answered);
}

for (const query of QUERIES) {
  const wanted = await contestants.get("plain objects")!({ query, withText: true });
  for (const [name, ask] of contestants) {
    if ((await ask({ query, withText: true })).text !== wanted.text)
      throw new Error(`${name} computes other candles for "${query.name}" than plain objects do`);
  }
  await compare(
    [...contestants].map(([name, ask]) => ({ name, run: async () => (await ask({ query })).milliseconds })),
    { title: query.name, rounds, unit: "ms an answer", peers: ["DuckDB", "plain objects"] },
  );
}
const memory = await Promise.all(
  ["mazaneh", "plain objects"].map(async (name) => [name, digits((await contestants.get(name)!({})).bytesEach!)]),
);
printTable(["in memory", "bytes an observation"], memory);
process.exit();
