import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { createWorld } from "../api_under_test.ts";
import { runs } from "../suite_size.ts";
import type { SuiteObservations } from "./expected_observations.ts";
import { EUR, observed } from "./records.ts";
import { type Handles, type Opener, opened } from "./suite.ts";

const TARGETS = [
  "/api/v1/assets/USD_RLS",
  "/api/v1/assets?codes=USD_RLS,EUR_RLS",
  "/api/v1/assets/USD_RLS/history?from=2026-11-19&to=2026-11-21",
  "/api/v1/assets/USD_RLS/ohlc?interval=1h&from=2026-11-20T00:00:00Z&to=2026-11-21T00:00:00Z",
  "/api/v1/assets/supported",
];
/** The minimum number of different entity tags that the test must see during the writes. */
const TAGS = runs(30, 100);

/** Tests that two different bodies never have the same entity tag while another handle stores records. */
export function tagTests(name: string, open: Opener<SuiteObservations>, { shared = false }: Handles): void {
  test(`${name}: an entity tag never stands for two bodies, even while ${shared ? "another handle" : "a client"} writes`, () =>
    opened(open, async ({ store, peer }) => {
      const writer = shared ? await peer!() : store;
      const { ask } = await createWorld({ observations: store });
      const bodies = new Map<string, string>();
      let isOver = false;

      async function write(): Promise<void> {
        for (let n = 1; !isOver; n++) {
          await writer.append([observed(n % 600, n), observed(n % 500, n, { code: EUR })]);
          await turn();
        }
      }

      async function read(target: string): Promise<void> {
        while (!isOver) {
          const { status, headers, text } = await ask(target);
          assert.equal(status, 200, text);
          const tag = `${target} ${headers["ETag"] ?? assert.fail("there is no entity tag")}`;
          assert.equal(text, bodies.get(tag) ?? text, `two bodies for ${tag}`);
          bodies.set(tag, text);
          isOver ||= bodies.size >= TAGS;
          await turn();
        }
      }

      await writer.append([observed(0, 1), observed(0, 1, { code: EUR })]);
      const readers = [...TARGETS, ...TARGETS].map((target) => read(target).finally(() => (isOver = true)));
      await Promise.all([write().finally(() => (isOver = true)), ...readers]);
    }));
}
