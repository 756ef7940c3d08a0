import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { createIngestClient } from "../../adapters/client/mod.ts";
import { mazaneh, servingChild, temporaryStore } from "../support/cli.ts";
import { createRandom, SEED } from "../support/seeded_random.ts";
import { runs } from "../support/suite_size.ts";
import { printCounts } from "./random_trial.ts";

/** The maximum time between the start of the work and the kill. */
const WORK_MS = 150;
const CODES = ["USD_RLS", "USDT_RLS", "STOCK_IR"] as const;
const VALUES = { USD_RLS: 1_900_000, USDT_RLS: 1_900_000, STOCK_IR: 4_000_000 };

interface Pushed {
  readonly code: (typeof CODES)[number];
  readonly value: number;
  readonly businessTime: string;
}

test("push: after SIGKILL at any moment, every acknowledged record is stored, and sending the same bodies again changes nothing else", async (t) => {
  const data = await temporaryStore(t);
  const { next: chance } = createRandom(SEED);
  const first = Date.now() - 7 * 86_400_000;
  const key = String(
    (await mazaneh(["keys", "create", "collector", "--may", "write", "--data", data, "--json"])).json()["key"],
  );
  const [sent, acknowledged]: [Pushed[], Pushed[]] = [[], []];
  const counts = { kills: 0, pushes: 0 };

  async function pushUntilKilled(url: string, code: Pushed["code"]): Promise<void> {
    for (;;) {
      const size = 1 + Math.floor(chance() * 30);
      const body = Array.from({ length: size }, (_, i): Pushed => {
        const n = sent.length + i;
        return { code, value: VALUES[code] + n, businessTime: new Date(first + n * 1_000).toISOString() };
      });
      sent.push(...body);
      const init = {
        method: "POST",
        headers: { "X-API-Key": key, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      };
      const answer = await fetch(`${url}/ingest`, init)
        .then((response) => response.json() as Promise<{ stored?: number }>)
        .catch(() => undefined);
      if (answer === undefined) return; // The server is gone.
      assert.equal(answer.stored, size);
      acknowledged.push(...body);
      counts.pushes++;
    }
  }

  for (; counts.kills < runs(10); counts.kills++) {
    const { child, url } = await servingChild(t, ["--data", data, "--ingest"]);
    const before = counts.pushes;
    const work = CODES.map((code) => pushUntilKilled(url, code));
    while (counts.pushes === before) await delay(1);
    await delay(chance() * WORK_MS);
    child.kill("SIGKILL");
    await Promise.all(work);
  }

  const line = ({ code, value, businessTime }: Pushed): string => `${code},${value},${businessTime}`;
  const there = new Set(
    (await mazaneh(["export", "--data", data])).out
      .trim()
      .split("\n")
      .slice(1)
      .map((row) => row.split(",").slice(0, 3).join()),
  );
  assert.deepEqual(
    acknowledged.filter((one) => !there.has(line(one))),
    [],
  );
  assert.deepEqual([...there].filter((row) => !sent.some((one) => line(one) === row)).slice(0, 5), []);
  const { url } = await servingChild(t, ["--data", data, "--ingest"]);
  const ingest = createIngestClient({ baseUrl: url, key });
  assert.deepEqual(await ingest(sent), { stored: sent.length, refused: 0, refusals: [] });
  assert.equal((await ingest(sent)).stored, sent.length);
  printCounts(t, { ...counts, acknowledged: acknowledged.length, records: sent.length });
});
