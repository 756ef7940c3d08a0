// What one instance sees of what another one has written.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { BOUND_MS } from "../../../adapters/postgres/follow.ts";
import { openPostgres } from "../../../adapters/postgres/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import { databaseWithTables, poolOf } from "../../support/postgres_clients.ts";
import { postgresMissing, sharedPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { observed } from "../../support/store_suite/records.ts";
import { startTcpProxy } from "../../support/tcp_proxy.ts";

const server = await sharedPostgres();
if (!server) skipAloud("what instances on PostgreSQL see of each other", postgresMissing);

const USD = [observed(0, 1).code];

/** The number in a version, which counts the changes. */
function counterOf(version: string): number {
  return Number(version.split(".")[1]);
}

if (server) {
  const { pool, url } = await databaseWithTables(server);

  test("freshness: asked each time, what one instance has acknowledged is in the next answer of another, 300 times", async () => {
    const [here, there] = await Promise.all([pool, poolOf(url)].map((one) => openPostgres(one, { clock: systemClock, follow: false })));
    for (let n = 1; n <= 300; n++) {
      await here!.observations.append([observed(n, n)]);
      const { version, value } = await there!.observations.latest(USD);
      assert.deepEqual([value[0]?.value, await there!.observations.version(USD)], [n, version]);
    }
  });

  test("freshness: followed, no version is older than the bound in 1,000 answers, with cuts and a freeze of the network", async (context) => {
    const proxy = await startTcpProxy(server!.port);
    // A frozen network gives no answer: after a second the connection is given up.
    const other = poolOf(url.replace(/:\d+\//, `:${proxy.port}/`), { query_timeout: 1_000, connectionTimeoutMillis: 1_000 });
    const here = await openPostgres(pool, { clock: systemClock, follow: false });
    const there = await openPostgres(other, { clock: systemClock });
    const before = counterOf(await here.observations.version(USD));
    /** When each counter was acknowledged. */
    const acknowledged: { readonly counter: number; readonly at: number }[] = [];
    let isDone = false;

    async function write(): Promise<void> {
      for (let n = 1; !isDone; n++) {
        await here.observations.append([observed(n, 1_000 + n)]);
        acknowledged.push({ counter: before + n, at: performance.now() });
        await delay(10);
      }
    }

    async function disturb(): Promise<void> {
      while (!isDone) {
        await delay(400);
        proxy.cut();
        await delay(900);
        proxy.freeze();
        await delay(1_300);
        proxy.thaw();
      }
    }

    const running = Promise.all([write(), disturb()]);
    try {
      const lags: number[] = [];
      let fromMemory = 0;
      let stale = 0;
      for (let reads = 0; reads < 1_000; await delay(5)) {
        const askedAt = performance.now();
        const answer = there.observations.version(USD);
        if (typeof answer === "string") fromMemory++;
        // What has no answer, or none before the server is known to be away, serves nobody.
        const version = await Promise.resolve(answer).catch(() => undefined);
        if (version === undefined) continue;
        reads++;
        const missed = acknowledged.find(({ counter }) => counter > counterOf(version));
        const lag = missed && missed.at < askedAt ? askedAt - missed.at : 0;
        lags.push(lag);
        if (lag > BOUND_MS) stale++;
      }
      lags.sort((a, b) => a - b);
      context.diagnostic(`${fromMemory} of 1,000 from memory; behind by ${lags[500]!.toFixed(1)} ms in the median, ${lags[990]!.toFixed(1)} ms of 99 %, ${lags[999]!.toFixed(1)} ms at most`);
      assert.equal(stale, 0);
      assert.ok(fromMemory > 100, `${fromMemory} from memory`);
    } finally {
      isDone = true;
      await running;
      await proxy.close();
      await Promise.all([here.close(), there.close()]);
    }
  });
}
