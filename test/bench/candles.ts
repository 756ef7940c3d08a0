// Candles of ten years of minutes, from the query to the finished bytes of the answer. The contestants are the columns
// and roll-ups that the candle route reads, DuckDB and SQLite with a table in memory, and plain objects in an array.
// Each runs in a process of its own, ours as the JavaScript that users get.
//
//   npx tsx test/bench/candles.ts [--rounds N]
import { startContestant } from "./candles/contestant.ts";
import type { Ask } from "./candles/contestant.ts";
import { QUERIES, ROWS } from "./candles/minutes.ts";
import type { MarketFigures } from "./candles/ours.ts";
import { startSqlite } from "./candles/sqlite.ts";
import { announce, readOptions } from "./support/options.ts";
import { fetchPeers } from "./support/peers.ts";
import { buildPrograms } from "./support/program.ts";
import { runRounds } from "./support/rounds.ts";
import { printTable } from "./support/table.ts";
import type { Cell } from "./support/table.ts";

const [OURS, PLAIN] = ["Mazaneh", "plain objects"];

const { rounds, format } = readOptions("candles");
announce("Candles", rounds, [`${ROWS.toLocaleString("en-US")} observations, one a minute, of one asset`]);

const program = (await buildPrograms("test/bench/candles/child.ts"))("test/bench/candles/child.ts");
const ours = await startContestant(program, "ours");
const peers = fetchPeers("@duckdb/node-api");
const sqlite = await startSqlite();
const contestants = new Map<string, Ask>([
  [OURS, ours.ask],
  ...(peers ? [["DuckDB", (await startContestant(program, "duckdb", peers.home)).ask] as const] : []),
  ...(sqlite ? [["SQLite", sqlite] as const] : []),
  [PLAIN, (await startContestant(program, "plain")).ask],
]);
console.error(`Answers checked: ${await checkAnswers()}`);

const rows: Cell[][] = [];
for (const query of QUERIES) {
  const runs = [...contestants].map(([name, ask]) => ({ name, run: async () => (await ask(query)).milliseconds }));
  const standings = await runRounds(runs, { rounds });
  for (const { name, median, lowest, highest } of standings.all) {
    const spread = `${lowest.toPrecision(3)}-${highest.toPrecision(3)}`;
    rows.push([query.name, name, median, spread, standings.timesAsFast(OURS, name)]);
  }
}
printTable({ title: "Candles, to finished bytes", columns: ["query", "by", "ms an answer", "spread", `${OURS} is times as fast`], rows }, format);

const { filledBytes, fillMs, rolledBytes, rollMs } = ours.ready as MarketFigures;
const memory: Cell[][] = [
  ["filled, one observation after the other", filledBytes, fillMs],
  ["and with the roll-ups, made at the first question", rolledBytes, rollMs],
];
printTable({ title: "Columns in memory", columns: ["", "bytes an observation", "ms"], rows: memory }, format);
process.exit(0);

/** Throws unless all return the same bytes. */
async function checkAnswers(): Promise<string> {
  let count = 0;
  for (const query of QUERIES) {
    const wanted = await contestants.get(PLAIN)!(query, true);
    for (const [name, ask] of contestants) {
      const { text } = await ask(query, true);
      if (text !== wanted.text) throw new Error(`${name} answers "${query.name}" with other candles than plain objects do`);
      count++;
    }
  }
  return `${count}, the same bytes by all`;
}
