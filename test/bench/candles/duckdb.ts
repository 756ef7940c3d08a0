import { createRequire } from "node:module";
import { join } from "node:path";
import { candlesOf, HUNDREDTHS, plainBytes, ROWS, START } from "./minutes.ts";
import type { Answerer } from "./minutes.ts";

/** As much of `@duckdb/node-api` as is used here. */
interface Duck {
  readonly DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<Connection> }> };
}

interface Connection {
  run(sql: string): Promise<unknown>;
  runAndReadAll(sql: string): Promise<{ getRows(): number[][] }>;
}

/** Fills a table of DuckDB in memory; `home` is the folder whose `node_modules` holds it. */
export async function startDuckdb(home: string): Promise<Answerer> {
  const { DuckDBInstance } = createRequire(join(home, "index.js"))("@duckdb/node-api") as Duck;
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run("CREATE TABLE o (t BIGINT, v DOUBLE)");
  await connection.run(`INSERT INTO o SELECT ${START} + n * 60000, (${HUNDREDTHS}) / 100.0::DOUBLE FROM range(${ROWS}) AS r(n)`);
  return async ({ from, to, widthMs }) => {
    const reader = await connection.runAndReadAll(
      `SELECT (t // ${widthMs} * ${widthMs})::DOUBLE AS start, arg_min(v, t), max(v), min(v), arg_max(v, t), count(*)::INTEGER
       FROM o WHERE t >= ${from} AND t < ${to} GROUP BY start ORDER BY start`,
    );
    return plainBytes(candlesOf(reader.getRows(), widthMs));
  };
}
