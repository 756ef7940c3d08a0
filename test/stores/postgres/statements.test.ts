// How many statements a request costs. Each is a round trip to the database, which takes most of the request's time.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { nodeSystem } from "../../../adapters/http/node/mod.ts";
import { connectionOf, type PgStatement, type Query } from "../../../adapters/stores/postgres/connection.ts";
import { openPostgres, type PgPool, type PostgresStore } from "../../../adapters/stores/postgres/mod.ts";
import { toRecord } from "../../../adapters/stores/postgres/observation_rows.ts";
import { readWithin } from "../../../adapters/stores/postgres/read_all_records.ts";
import { type AccountId, type CalendarDate, createApi, createKey, type UtcMillis } from "../../../core/mod.ts";
import { requestOf } from "../../support/api_under_test.ts";
import { databaseWithTables } from "../../support/postgres_clients.ts";
import { postgresMissing, sharedPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { observed } from "../../support/store_suite/records.ts";
import { until } from "../../support/wait_until.ts";

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly Plans?: readonly PlanNode[];
}

/** The rows of roll-ups that a plan has read. */
function rowsRead({
  "Relation Name": table = "",
  "Actual Rows": rows,
  "Actual Loops": loops,
  Plans = [],
}: PlanNode): number {
  return Plans.reduce((sum, node) => sum + rowsRead(node), table.endsWith("rollup") ? rows * loops : 0);
}

const server = await sharedPostgres();
if (!server) skipAloud("how many statements a request costs on PostgreSQL", postgresMissing);
else {
  const { pool } = await databaseWithTables(server);
  let statements = 0;
  let last: PgStatement | undefined;
  // Counts the statements of requests, but neither those of the follower nor those in transactions.
  const counting: PgPool = {
    query(statement) {
      if (!statement.text.includes("AS counters")) {
        statements++;
        last = statement;
      }
      return pool.query(statement);
    },
    connect: () => pool.connect(),
    on: (_, listener) => pool.on("error", listener),
  };

  for (const [follow, costs] of [
    [true, { first: 3, miss: 2, hit: 1, changed: 2 }],
    [false, { first: 3, miss: 3, hit: 3, changed: 4 }],
  ] as const) {
    test(`statements: ${follow ? "with follow" : "without follow"}, GET /assets needs ${costs.first} statements with a new key, ${costs.miss} on the second request, ${costs.hit} with a cached answer, and ${costs.changed} if this answer is old`, async () => {
      const store = await openPostgres(counting, { clock: nodeSystem.clock, follow });
      after(() => store.close());
      const key = await createKey(store.accounts, nodeSystem, `account-${follow}`);
      const api = createApi({ ...nodeSystem, ...store });
      const ask = async (target = "/api/v1/assets", wanted = 200): Promise<number> => {
        const before = statements;
        assert.equal((await api(requestOf(target, { key }))).status, wanted);
        return statements - before;
      };
      await store.observations.append([observed(0, follow ? 1 : 2)]);
      const today = new Date(nodeSystem.clock()).toISOString().slice(0, 10) as CalendarDate;
      await store.quota.take("other" as AccountId, today, 5); // The first unit of a day also drops old counts, with one more statement.
      if (follow) await current(store);
      assert.deepEqual(
        [await ask(), await ask(), await ask(), await ask()],
        [costs.first, costs.miss, costs.hit, costs.hit],
      );
      await store.observations.append([observed(0, follow ? 3 : 4)]);
      if (follow) await current(store);
      assert.deepEqual([await ask(), await ask()], [costs.changed, costs.hit]);
      const missing = "/api/v1/assets/USD_RLS/1999-01-01";
      assert.deepEqual(
        [await ask(missing, 404), await ask(missing, 404)],
        [follow ? 5 : 6, costs.hit],
        "the first request for a day without records looks for an earlier day; the second reads no records, and costs no unit",
      );
      const before = statements;
      await Promise.all(Array.from({ length: 300 }, () => ask(missing, 404)));
      if (follow) assert.ok(statements - before <= 2, "concurrent requests share the lookup of their units");
    });
  }

  test("statements: over a year, one bucket is read for each candle of a day or of four hours, and four buckets for each candle of an hour", async () => {
    const store = await openPostgres(counting, { clock: nodeSystem.clock, follow: false });
    const start = Date.UTC(2025, 0, 1);
    const QUARTER = 900_000;
    await store.observations.append(
      Array.from({ length: 365 * 96 }, (_, n) => ({
        ...observed(0, 1 + (n % 1_000)),
        businessTime: (start + n * QUARTER) as UtcMillis,
      })),
    );
    await pool.query("ANALYZE");
    for (const [hours, rows] of [
      [24, 365],
      [4, 365 * 6],
      [1, 365 * 96],
    ] as const) {
      const { value } = await store.observations.candles(
        observed(0, 1).code,
        { from: start as UtcMillis, to: (start + 365 * 96 * QUARTER) as UtcMillis },
        hours * 4 * QUARTER,
      );
      assert.deepEqual([value.candles.length, value.candles.at(0)!.observationCount], [(365 * 24) / hours, hours * 4]);
      const { text, values = [] } = last!;
      const explained = await pool.query<{ "QUERY PLAN": [{ Plan: PlanNode }] }>({
        text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
        values,
      });
      const read = rowsRead(explained.rows[0]!["QUERY PLAN"][0].Plan);
      assert.equal(read, rows + 1, `candles of ${hours} hours, and one more row for the beginning of the data`);
    }
  });

  test("statements: records are read in the order of an index, without sorting any page", async () => {
    const { query, end } = await connectionOf(pool).beginReading();
    const texts: string[] = [];
    const noting: Query = (text, values) => {
      if (values) texts.push(text);
      return query(text, values);
    };
    for await (const _ of readWithin(noting, { make: toRecord }));
    const pages = texts.filter((text) => text.includes("LIMIT"));
    assert.ok(pages.length > 0, "pages were read");
    // A generic plan, which PostgreSQL makes for a statement that is run repeatedly.
    await query("SET LOCAL plan_cache_mode = force_generic_plan");
    for (const [n, text] of pages.entries()) {
      await query(`PREPARE page_${n} AS ${text}`);
      const values = text.includes("$3") ? "(1, 0, '')" : "(1, 0)";
      const plan = JSON.stringify(await query(`EXPLAIN EXECUTE page_${n} ${values}`));
      assert.match(plan, /Index Scan/);
      assert.doesNotMatch(plan, /Sort|Bitmap/);
    }
    await end();
  });

  test("statements: a store's own write changes its version at once, without waiting for the next reading", async () => {
    const store = await openPostgres(counting, { clock: nodeSystem.clock });
    after(() => store.close());
    const { observations } = store;
    let before = await observations.version();
    for (let round = 1; round <= 20; round++) {
      await observations.append([observed(Math.ceil(round / 2), round)]);
      const version = await observations.version();
      assert.notEqual(version, before, `round ${round}`);
      before = version;
    }
  });

  async function current({ observations }: PostgresStore): Promise<void> {
    await until("the follower is current", async () => {
      const before = statements;
      await observations.version();
      return statements === before;
    });
  }
}
