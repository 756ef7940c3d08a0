// `import - --follow` into PostgreSQL, which is lost in one way after the other while lines come.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { mazaneh, startMazaneh } from "../support/cli.ts";
import { type PostgresServer, postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { startTcpProxy } from "../support/tcp_proxy.ts";

const postgres = await startPostgres();
if (postgres) await feedTests(postgres);
else skipAloud("a feed into PostgreSQL", postgresMissing);

async function feedTests(postgres: PostgresServer): Promise<void> {
  const network = await startTcpProxy(postgres.port);
  after(() => network.close());

  const troubles: readonly (readonly [rule: string, trouble: () => Promise<unknown>, mend: () => Promise<void>])[] = [
    ["is restarted", () => postgres.stop(), () => postgres.restart()],
    ["is killed", () => postgres.kill(), () => postgres.restart()],
    ["loses all connections", async () => network.leadTo(undefined), async () => network.leadTo(postgres.port)],
    [
      "is on a machine that is gone without a word",
      async () => network.lose(),
      async () => network.leadTo(postgres.port),
    ],
  ];
  for (const [rule, trouble, mend] of troubles) {
    test(`follow: PostgreSQL ${rule}: the feed waits, and all lines are stored once`, {
      timeout: 180_000,
    }, async (t) => {
      const url = await postgres.database();
      const env = { MAZANEH_STORE: url };
      assert.equal((await mazaneh(["migrate"], { env })).code, 0);
      const child = startMazaneh(["import", "-", "--follow"], {
        MAZANEH_STORE: url.replace(`:${postgres.port}/`, `:${network.port}/`),
      });
      const closed = once(child, "close");
      t.after(async () => {
        child.kill("SIGKILL");
        await closed;
      });
      let acknowledged = 0;
      let err = "";
      createInterface(child.stdout).on(
        "line",
        (line) => ({ acknowledged } = JSON.parse(line) as { acknowledged: number }),
      );
      child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
      child.stdin.on("error", () => undefined);
      const until = async (isSo: () => boolean): Promise<void> => {
        for (const end = performance.now() + 60_000; !isSo(); await delay(10))
          assert.ok(performance.now() < end && child.exitCode === null, `${acknowledged}: ${err}`);
      };

      let sent = 0;
      let isOver = false;
      const sending = (async () => {
        for (; !isOver; await delay(2)) child.stdin.write(line(sent++));
      })();
      try {
        await until(() => acknowledged >= 50);
        await trouble();
        await until(() => err.includes("Waiting for a server on "));
        const before = acknowledged;
        await mend();
        await until(() => acknowledged > before + 50);
      } finally {
        isOver = true;
        await sending;
      }
      child.stdin.end(line(sent, { qualityStatus: "PENDING" }));
      assert.deepEqual([(await closed)[0], acknowledged], [0, sent + 1], err);
      assert.match(
        err,
        /^Waiting for a server on "postgres:\S+": PostgreSQL is not available: .+ What was acknowledged is stored\.$/m,
      );
      assert.match((await mazaneh(["pending", "list", "--json"], { env })).out, /"source":"import"/);
      const { out } = await mazaneh(["export"], { env });
      assert.deepEqual(
        out
          .trimEnd()
          .split("\n")
          .slice(1)
          .map((row) => Number(row.split(",")[1])),
        Array.from({ length: sent }, (_, n) => 50_000 + n),
      );
    });
  }
}

function line(n: number, more: object = {}): string {
  return `${JSON.stringify({ code: "BTC_USD", value: 50_000 + n, businessTime: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(), ...more })}\n`;
}
