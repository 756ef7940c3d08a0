// Runs one contestant. Each contestant has its own process, so that none spends time on the garbage of others.

import type { UtcMillis } from "../../../core/mod.ts";
import { writeCandles } from "../../../core/routes/candle_bytes.ts";
import { createSeriesStore } from "../../../core/series/series_store.ts";
import { fold } from "../http/service.ts";
import { toObservation } from "../support/market.ts";
import { loadPeer } from "../support/peers.ts";
import { answerMessages } from "../support/processes.ts";
import { millisecondsOf } from "../support/report.ts";
import { type Answered, type Query, type Question, ROWS, START, VALUE, valueOf } from "./minutes.ts";

/** Returns the finished bytes of the answer to a query. */
type Answering = (query: Query) => Uint8Array | Promise<Uint8Array>;

/** The minimum time for which a query is repeated. The cost of an answer is the mean over all repetitions. */
const LEAST_MS = 50;

const [, , name, home] = process.argv;
const empty = usedBytes();
const answering: Answering = await answeringOf(name);
const bytesEach = (usedBytes() - empty) / ROWS;

answerMessages(async (message): Promise<Answered> => {
  const { query, withText } = message as Question;
  if (query === undefined) return { milliseconds: 0, bytesEach };
  if (withText === true) return { milliseconds: 0, text: Buffer.from(await answering(query)).toString() };
  let [count, total] = [0, 0];
  for (; total < LEAST_MS; count++) total += await millisecondsOf(() => answering(query));
  return { milliseconds: total / count };
});

function answeringOf(name: string | undefined): Answering | Promise<Answering> {
  if (name === "mazaneh") return columns();
  return name === "DuckDB" ? duckdb() : objects();
}

/** The columns of the series store, read as the candle route reads them. */
function columns(): Answering {
  const series = createSeriesStore();
  for (let n = 0; n < ROWS; n++)
    series.putAll([toObservation({ code: "BTC_USD", time: START + n * 60_000, value: valueOf(n) })], n + 1);
  return ({ from, to, widthMs }) => {
    const { candles } = series.candles("BTC_USD", { from: from as UtcMillis, to: to as UtcMillis }, widthMs);
    return writeCandles('{"candles":[', candles, candles.length);
  };
}

/** An array of objects: a binary search finds the start of the range, and simple code folds and serializes the rest. */
function objects(): Answering {
  const rows = Array.from({ length: ROWS }, (_, n) => ({ time: START + n * 60_000, value: valueOf(n) }));
  return ({ from, to, widthMs }) => plainBytes(fold(rows, widthMs, { from, to }));
}

/** A DuckDB table in memory. */
async function duckdb(): Promise<Answering> {
  interface Connection {
    run(sql: string): Promise<unknown>;
    runAndReadAll(sql: string): Promise<{ getRowObjects(): unknown }>;
  }
  const { DuckDBInstance } = loadPeer(home!, "@duckdb/node-api") as {
    readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
  };
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run("CREATE TABLE o (t BIGINT, v DOUBLE)");
  await connection.run(`INSERT INTO o SELECT ${START} + n * 60000, ${VALUE} FROM range(${ROWS}) AS r(n)`);
  return async ({ from, to, widthMs }) => {
    const reader = await connection.runAndReadAll(
      `SELECT (t // ${widthMs} * ${widthMs})::DOUBLE AS start, start + ${widthMs} AS "end", arg_min(v, t) AS open,
         max(v) AS high, min(v) AS low, arg_max(v, t) AS close, count(*)::INTEGER AS "observationCount"
       FROM o WHERE t >= ${from} AND t < ${to} GROUP BY start ORDER BY start`,
    );
    return plainBytes(reader.getRowObjects() as ReturnType<typeof fold>);
  };
}

function plainBytes(candles: ReturnType<typeof fold>): Uint8Array {
  const list = candles.map(({ start, end, ...rest }) => ({
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    ...rest,
    complete: true,
  }));
  return Buffer.from(JSON.stringify({ candles: list }));
}

function usedBytes(): number {
  // Collects garbage twice, because some objects are freed only by the second collection.
  for (let i = 0; i < 2; i++) globalThis.gc!();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
