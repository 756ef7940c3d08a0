// Two processes of `mazaneh serve` whose ways to PostgreSQL and Redis fail again and again: no account gets a unit too many, and
// what was paid was served.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock as clock } from "../../adapters/http/web_system.ts";
import { openPostgres } from "../../adapters/stores/postgres/mod.ts";
import { createRedisQuota } from "../../adapters/stores/redis/mod.ts";
import type { AccountId, CalendarDate, QuotaLedger } from "../../core/mod.ts";
import { createOpener } from "../stores/redis/clients.ts";
import { poolOf } from "../support/postgres_clients.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { redisMissing, startRedis } from "../support/redis_server.ts";
import type { ServerProcess } from "../support/server_process.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { observed } from "../support/store_suite.ts";
import { runs } from "../support/suite_size.ts";
import { startTcpProxy, type TcpProxy } from "../support/tcp_proxy.ts";
import { until } from "../support/wait_until.ts";
import { beginInstallation, testAccount } from "./installation.ts";
import { ask, countOf, startServe } from "./instances.ts";

const REQUESTS = 500;
/** Fewer than requests, so that one too many would show. */
const UNITS = 400;
const AT_ONCE = 16;
/** Longer than a request waits. */
const FAULT_MS = 3_000;
/** Of each fault for each engine: 104 in all by night. */
const ROUNDS = runs(1.3);

/** What happens in the midst of the requests, until it is mended. */
type Fault = readonly [
  name: string,
  begin: (network: TcpProxy, server: ServerProcess) => unknown,
  end: (network: TcpProxy, server: ServerProcess) => unknown,
];

const faults: readonly Fault[] = [
  ["is stalled", (network) => network.freeze(), (network) => network.thaw()],
  ["is cut", (network) => network.cut(), () => {}],
  ["is slow", (network) => (network.answerDelayMs = 1_200), (network) => (network.answerDelayMs = 0)],
  ["leads to a server that is frozen", (_, server) => server.pause(), (_, server) => server.resume()],
];

const postgres = await startPostgres();
const redis = await startRedis({ settings: { appendonly: "yes", appendfsync: "always" } });
if (!postgres || !redis) skipAloud("faults between instances and their engines", postgresMissing, redisMissing);
else {
  const { connect } = createOpener(() => redis.port);
  await faultTests(
    "PostgreSQL",
    postgres,
    async (store) => (await openPostgres(poolOf(store), { clock, follow: false })).quota,
  );
  await faultTests("Redis", redis, async () => createRedisQuota((await connect()).client));
}

async function faultTests(
  engine: string,
  server: ServerProcess,
  openLedger: (store: string) => Promise<QuotaLedger>,
): Promise<void> {
  const store = await (postgres as PostgresServer).database();
  const network = await startTcpProxy(server.port);
  const behind = (url: string): string => url.replace(`:${server.port}`, `:${network.port}`);
  const quota = engine === "Redis" ? redis!.url : "store";
  const accounts = await Promise.all(
    Array.from({ length: faults.length * ROUNDS }, (_, n) => testAccount(`account-${n}`, UNITS)),
  );
  const write = await beginInstallation(store, quota);
  await write({ changes: accounts.flatMap(({ changes }) => changes), records: [observed(1, 1_000_000)] });
  const instances = [await startServe(behind(store), behind(quota)), await startServe(behind(store), behind(quota))];
  const ledger = await openLedger(store);

  for (const [kind, [name, begin, end]] of faults.entries()) {
    test(`while the way to ${engine} ${name}, no unit is given twice, and what was paid was served; ${ROUNDS} times`, {
      timeout: 900_000,
    }, async (t) => {
      const lost: number[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        const nth = kind * ROUNDS + round;
        const { key } = accounts[nth]!;
        const day = new Date().toISOString().slice(0, 10) as CalendarDate;
        const statuses: { status: number }[] = [];
        let asked = 0;
        const client = async (_: unknown, at: number): Promise<void> => {
          while (asked++ < REQUESTS) statuses.push(await ask(instances[at % 2]!, key));
        };
        const load = Promise.all(Array.from({ length: AT_ONCE }, client));
        await until("requests are answered", () => statuses.length > 100);
        await begin(network, server);
        await delay(name === "is cut" ? 0 : FAULT_MS);
        await end(network, server);
        await load;
        await until(
          "an instance answers",
          async () => (await ask(instances[0]!, key, "/api/v1/access")).status === 200,
        );
        await delay(1_500); // What comes late is given back.
        const { 200: served = 0, ...others } = countOf(statuses);
        const used = await ledger.used(`account-${nth}` as AccountId, day);
        assert.deepEqual(
          Object.keys(others).filter((status) => !["429", "503"].includes(status)),
          [],
        );
        assert.ok(served <= UNITS && used >= served, `${served} served, ${used} paid`);
        lost.push(used - served);
      }
      t.diagnostic(`paid and not served: ${lost.join(" ")}`);
      assert.equal(Math.max(...lost), 0, `paid and not served: ${lost.join(" ")}`);
    });
  }
}
