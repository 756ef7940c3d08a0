import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { stateOfImport } from "../../adapters/cli/import_text.ts";
import { type IngestStore, ingestRoute } from "../../adapters/feeds/push/mod.ts";
import { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import { webSystem } from "../../adapters/http/web_system.ts";
import type { ImportAccess } from "../../adapters/stores/shared/imports.ts";
import { DAY_MS, isPending, parseKey } from "../../core/internal.ts";
import {
  type AccountKeeper,
  type Accounts,
  type AssetCode,
  createApi,
  createKey,
  type NewKeyOptions,
  type Observation,
  type Observations,
  type ObservationWriter,
  type QuotaLedger,
  type UtcMillis,
} from "../../core/mod.ts";
import { type Members, objectOf } from "./api_under_test.ts";
import { NOW } from "./json_files_fixtures.ts";
import { IS_NIGHTLY } from "./suite_size.ts";

/** The store that the suite tests. Its clock always shows `NOW`. */
export interface IngestedStore {
  readonly observations: Observations & ObservationWriter & IngestStore["observations"];
  readonly accounts: Accounts & AccountKeeper;
  readonly quota: QuotaLedger;
  readonly imports?: ImportAccess;
}

/** A server of `POST /ingest` in front of a store, without a socket. */
export type Pushing = Awaited<ReturnType<typeof pushing>>;

/** The counts in the answer to an empty body. */
const NOTHING = { stored: 0, accepted: 0, replaced: 0, unchanged: 0, pending: 0, refused: 0, refusals: [] };
const CSV = { "Content-Type": "text/csv; charset=UTF-8" };
const LINES = { "Content-Type": "application/x-ndjson" };

/** The counts of an answer; missing ones are 0. */
export function counts(some: Partial<typeof NOTHING>): object {
  const all = { ...NOTHING, ...some };
  return { ...all, stored: all.accepted + all.replaced + all.unchanged + all.pending };
}

/** How many records of a body were stored, and the places of the refused records. */
function outcomeOf(answer: Members | string): readonly unknown[] {
  const { stored, refusals } = objectOf(answer);
  return [stored, ...(refusals as Members[]).map(({ place }) => place)];
}

/** A record of the dollar at `minutes` before `NOW`. */
export function dollar(minutes: number, value: number, more: object = {}): object {
  return { code: "USD_RLS", value, businessTime: new Date(NOW - minutes * 60_000).toISOString(), ...more };
}

/** Sets up a server in front of a store. */
export async function pushing(store: IngestedStore) {
  let now = NOW;
  const route = ingestRoute(store);
  const clock = (): UtcMillis => now;
  const handle = fetchHandler(createApi({ ...webSystem, ...store, clock, routes: [route] }));
  const ask = async (path: string, key: string, init: RequestInit = {}): Promise<Response> =>
    handle(new Request(`http://prices.example${path}`, { ...init, headers: { "X-API-Key": key, ...init.headers } }));
  return {
    route,
    ask,
    setNow: (at: number) => void (now = at as UtcMillis),
    key: (options: NewKeyOptions = { may: "read,write" }) =>
      createKey(store.accounts, { ...webSystem, clock }, "collector", options),
    /** Pushes, and returns the counts and refusals. If the status is not 200, returns a text with status and code. */
    async push(
      body: unknown,
      key: string,
      headers: Readonly<Record<string, string>> = { "Content-Type": "application/json" },
    ): Promise<Members | string> {
      const isRaw = typeof body === "string" || body instanceof Uint8Array;
      const sent = (isRaw ? body : JSON.stringify(body)) as NonNullable<RequestInit["body"]>;
      const answer = await ask("/ingest", key, { method: "POST", headers, body: sent });
      const json = objectOf(await answer.json());
      return answer.status === 200 ? json : `${answer.status} ${String(json["code"])}`;
    },
    async records(): Promise<readonly Observation[]> {
      const found: Observation[] = [];
      for await (const one of store.observations.records()) found.push(one);
      return found.sort((a, b) => a.businessTime - b.businessTime);
    },
  };
}

async function values(records: Pushing["records"]): Promise<readonly number[]> {
  return (await records()).map(({ value }) => value);
}

type Run = (pushing: Pushing, store: IngestedStore) => Promise<void>;
/** `npm test` leaves out large cases. */
const CASES: readonly (readonly [rule: string, run: Run, isLarge?: true])[] = [
  [
    "the same records as array, lines, CSV and gzip are stored once; repeats change nothing",
    async ({ push, key, records }, store) => {
      const writer = await key();
      const list = [
        dollar(3, 1_900_000),
        dollar(2, 1_900_100.5, { provider: "صرافی", qualityMessage: 'a, "b"' }),
        dollar(1, 1_900_200, { sourceTime: "2026-11-21T09:58:00Z" }),
      ];
      assert.deepEqual(await push(list, writer), counts({ accepted: 3 }));
      const [before, version] = [await records(), await store.observations.version()];
      const lines = list.map((one) => `${JSON.stringify(one)}\r\n`).join("\n");
      const columns = "businessTime,code,value,provider,sourceTime,other,qualityMessage";
      const csv = [
        `\ufeff\n${columns}`,
        '2026-11-21T09:57:00.000Z,USD_RLS,1900000,,,x,""\r',
        '2026-11-21T09:58:00.000Z,USD_RLS,1900100.5,صرافی,,x,"a, ""b"""\r',
        '2026-11-21T09:59:00.000Z,USD_RLS,1900200,,2026-11-21T09:58:00Z,x,""',
        `${columns}\n`,
      ].join("\n");
      const zipped = { "Content-Type": "application/json", "Content-Encoding": "GZIP" };
      const bodies = [
        [list, undefined],
        [lines, LINES],
        [csv, CSV],
        [gzipSync(JSON.stringify(list)), zipped],
        [gzipSync(csv), { ...zipped, ...CSV }],
      ] as const;
      for (const [body, headers] of bodies) {
        assert.deepEqual(await push(body, writer, headers), counts({ unchanged: 3 }));
      }
      assert.deepEqual([await records(), await store.observations.version()], [before, version]);
      assert.deepEqual(await push([], writer), NOTHING);
      assert.deepEqual(await push("\n", writer, LINES), NOTHING);
    },
  ],

  [
    "invalid records are refused with their place, and the rest is stored: 200",
    async ({ push, key }) => {
      const writer = await key();
      const unknown = { code: "USD_RLX", value: 1, businessTime: "2026-11-21T09:00:00Z" };
      const wrong = [unknown, dollar(2, -1), 7, null, [], dollar(-60, 1_900_000)];
      const answer = objectOf(await push([dollar(1, 1_900_000), ...wrong], writer));
      assert.deepEqual({ ...answer, refusals: [] }, counts({ accepted: 1, refused: 6 }));
      assert.deepEqual(outcomeOf(answer), [1, 2, 3, 4, 5, 6, 7]);
      assert.match(JSON.stringify(answer["refusals"]), /"place":2,"reason":"code .*"place":7,"reason":"businessTime /);
      const rows = [
        "code,value,businessTime",
        "USD_RLS,1900000",
        "",
        'USD_RLS,"1900000,2026-11-21T09:01:00Z',
        "USD_RLS,1e400,2026-11-21T09:02:00Z",
        "USD_RLS,1,2,3,4,5",
        "USD_RLS,1900000,2026-11-21T09:03:00Z",
      ];
      assert.deepEqual(outcomeOf(await push(rows.join("\n"), writer, CSV)), [1, 2, 4, 5, 6]);
      const lines = `{"code":\n[]\n\n{"__proto__":${JSON.stringify(dollar(60, 1))}}\n`;
      assert.deepEqual(outcomeOf(await push(lines, writer, LINES)), [0, 1, 2, 4]);
      const many = objectOf(await push(Array(150).fill(1), writer));
      assert.deepEqual([many["refused"], (many["refusals"] as unknown[]).length], [150, 100]);
    },
  ],
  [
    "other requests get their turn while a large body is handled",
    async ({ push, key }) => {
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      const body = Array.from({ length: 9_000 }, (_, i) => dollar(i + 1, 1_900_000));
      assert.deepEqual(await push(body, await key()), counts({ accepted: 9_000 }));
      clearInterval(timer);
      assert.ok(turns >= 7, `${turns} turns`);
    },
  ],

  [
    "a value beyond the daily bound stays pending until a person decides, whatever arrives later",
    async ({ push, key, records, setNow }, store) => {
      const writer = await key();
      const history = Array.from({ length: 40 }, (_, i) => dollar(1_440 + i * 10, 1_900_000 + i * 100));
      await push(history, writer);
      setNow(NOW + DAY_MS);
      const at = (minutes: number, value: number, more: object = {}) => dollar(minutes - 1_440, value, more);
      const toman = [at(9, 190_000), at(8, 1_905_000)];
      assert.deepEqual(await push(toman, writer), counts({ accepted: 1, pending: 1 }));
      assert.deepEqual(await push(toman, writer), counts({ unchanged: 1, pending: 1 }));
      const beside = [at(8, 190_500), at(7, 1_905_100)];
      assert.deepEqual(await push(beside, writer), counts({ accepted: 1, pending: 1 }));
      assert.deepEqual(
        (await records()).filter(({ value }) => value === 1_905_000 || value === 190_500).map(isPending),
        [false, true],
      );
      // A push does not change a person's decision, even with the same value or the status `ACCEPTED`.
      const pending = (await records()).find(({ value }) => value === 190_000)!;
      for (const decided of [
        { qualityStatus: "REJECTED", qualityMessage: "rejected by hand" },
        { qualityStatus: "ACCEPTED", qualityMessage: "accepted by hand" },
      ] as const) {
        await store.observations.append([{ ...pending, ...decided }]);
        const before = await records();
        assert.deepEqual(await push(toman, writer), counts({ unchanged: 2 }));
        assert.deepEqual(await push([at(9, 190_000, { qualityStatus: "ACCEPTED" })], writer), counts({ unchanged: 1 }));
        assert.deepEqual(await records(), before);
      }
      assert.deepEqual(await push([at(5, 5_700_000), at(4, 5_700_100)], writer), counts({ pending: 2 }));
      assert.deepEqual(await push([at(3, 5_700_200)], await key()), counts({ pending: 1 }));
      const marked = [
        at(2, 1_905_200),
        at(6, 1, { qualityStatus: "PENDING", qualityMessage: "confirm: confirm: doubt" }),
      ];
      assert.deepEqual(await push(marked, writer), counts({ accepted: 1, pending: 1 }));
      assert.ok(
        (await records()).some(({ qualityMessage }) => qualityMessage === "doubt"),
        "the message is stored without the prefix that asks a question",
      );
    },
  ],

  [
    "a REJECTED record withdraws a value that the same key added within the last hour; for any other value, the record stays pending until a person decides",
    async ({ push, key, records, setNow }, store) => {
      const [writer, other] = [await key(), await key()];
      const rejected = (minutes: number): object[] => [dollar(minutes, 1, { qualityStatus: "REJECTED" })];
      await push([dollar(4, 1_900_000), dollar(3, 1_900_000), dollar(2, 1_900_100), dollar(1, 1_900_200)], writer);
      // A key cannot withdraw a value that another key has also sent or has replaced.
      for (const value of [1_900_000, 1_900_050]) {
        await push([dollar(4, value)], other);
        assert.deepEqual(await push(rejected(4), writer), counts({ pending: 1 }));
      }
      assert.deepEqual(await push(rejected(3), writer), counts({ replaced: 1 }));
      assert.deepEqual(await push(rejected(2), other), counts({ pending: 1 }));
      await push([dollar(1, 1_900_300)], writer);
      setNow(NOW + 3_600_000);
      assert.deepEqual(await push(rejected(1), writer), counts({ pending: 1 }));
      assert.deepEqual(await push(rejected(1), writer), counts({ pending: 1 }), "again");
      const latest = await store.observations.latest(["USD_RLS" as AssetCode]);
      assert.equal(latest.value[0]!.value, 1_900_300);
      assert.deepEqual(
        (await records()).map(({ value, qualityStatus }) => `${value} ${qualityStatus}`),
        [
          ...["1900050 ACCEPTED", "1900050 PENDING", "1 REJECTED", "1900100 ACCEPTED", "1900100 PENDING"],
          ...["1900300 ACCEPTED", "1900300 PENDING"],
        ],
      );
    },
  ],

  [
    "a key without the right to read learns only which records are stored",
    async ({ push, key }) => {
      const writer = await key({ may: "write" });
      const stored = (some: object): object => ({ stored: 0, refused: 0, refusals: [], ...some });
      assert.deepEqual(await push([dollar(1, 1_900_000)], writer), stored({ stored: 1 }));
      const several = [dollar(1, 1_900_000), dollar(2, 190_000), dollar(3, 1_900_500), { code: "NONE" }];
      const answer = await push(several, writer);
      assert.deepEqual([Object.keys(answer), outcomeOf(answer)], [Object.keys(stored({})), [3, 4]]);
    },
  ],

  [
    "a key with 10,000 to 20,000 pending values stores nothing more until a person decides: 429",
    async ({ push, key, ask, records }, store) => {
      const writer = await key();
      const many = Array.from({ length: 30_000 }, (_, i) => dollar(i + 1, 1_900_000, { qualityStatus: "PENDING" }));
      assert.deepEqual(await push(many.slice(0, 9_999), writer), counts({ pending: 9_999 }));
      assert.deepEqual(await push([many[9_999]], writer), counts({ pending: 1 }));
      await push(many.slice(10_000, 20_000), writer);
      await push(many.slice(20_000), writer);
      assert.equal(await push([dollar(1, 1_900_000)], writer), "429 RATE_LIMITED");
      const answer = await ask("/ingest", writer, { method: "POST", headers: LINES, body: "" });
      assert.equal(answer.headers.get("Retry-After"), "60");
      assert.deepEqual(await push([dollar(1, 1_900_000)], await key()), counts({ accepted: 1 }), "another key");
      const pending = (await records()).filter(isPending);
      const decided = pending.map((one) => ({ ...one, qualityStatus: "ACCEPTED" as const }));
      for (let from = 0; from < decided.length; from += 2_000)
        await store.observations.append(decided.slice(from, from + 2_000), `key:${parseKey(writer)}`);
      assert.deepEqual(await push([dollar(1, 1_900_000)], writer), counts({ unchanged: 1 }));
    },
    true,
  ],

  [
    "several values for one time in a body: the last is stored and the others are refused, even when the body is sent again",
    async ({ push, key, records }) => {
      const writer = await key();
      const body = [dollar(1, 1_900_000), dollar(1, 1_900_001), dollar(1, 1_900_002), dollar(1, 1_900_002)];
      for (const [accepted, unchanged] of [
        [1, 1],
        [0, 2],
      ] as const) {
        const answer = objectOf(await push(body, writer));
        assert.deepEqual({ ...answer, refusals: [] }, counts({ accepted, unchanged, refused: 2 }));
      }
      assert.deepEqual(await values(records), [1_900_002]);
      assert.deepEqual(await push([dollar(1, 1_900_003)], writer), counts({ replaced: 1 }));
    },
  ],

  [
    "a key for reading may not push, a key for writing may only push, and a key for both may do both: 403",
    async ({ push, ask, key }) => {
      const [reader, writer, both] = [await key({}), await key({ may: "write" }), await key()];
      assert.equal(await push([dollar(1, 1_900_000)], reader), "403 ACCESS_RESTRICTED");
      assert.deepEqual(await push([dollar(1, 1_900_000)], both), counts({ accepted: 1 }));
      for (let round = 0; round < 3; round++) {
        for (const path of [
          "/assets",
          "/assets/USD_RLS",
          "/assets/supported",
          "/access",
          "/assets/USD_RLS/2026-11-21",
        ]) {
          assert.equal((await ask(`/api/v1${path}`, writer)).status, 403, path);
          assert.equal((await ask(`/api/v1${path}`, both)).status, 200, path);
        }
      }
      // The three keys belong to one account. Neither a push nor a refusal has cost a unit.
      const { headers } = await ask("/api/v1/access", reader);
      assert.equal(headers.get("X-RateLimit-Remaining"), String(50 - 3 * 4));
    },
  ],

  [
    "a key for some assets cannot write other assets",
    async ({ push, key }) => {
      const writer = await key({ may: "write", codes: ["EUR_RLS"] as never });
      const euro = { ...dollar(1, 2_200_000), code: "EUR_RLS" };
      assert.deepEqual(outcomeOf(await push([dollar(1, 1_900_000), euro, { code: "NONE" }], writer)), [1, 1, 3]);
    },
  ],

  [
    "each key has one import per hour, which can be undone before the hour is over",
    async ({ push, key, setNow, records, route }, { imports }) => {
      if (!imports) return;
      const [one, other] = [await key(), await key()];
      await push([dollar(60, 1_900_000)], one);
      await push([dollar(59, 1_900_010), dollar(60, 1_900_005)], one);
      await push([dollar(58, 1_900_020), { code: "NONE" }], other);
      /** The state of each import, newest first, and how many records it has added. */
      const listImports = async (now: UtcMillis = NOW): Promise<readonly string[]> =>
        (await imports.list()).map(
          ({ imported }) => `${stateOfImport(imported, { host: "here", now })} ${imported.summary?.accepted}`,
        );
      assert.deepEqual(await listImports(), ["open undefined", "open undefined"]);
      await imports.undo(1);
      assert.deepEqual(await values(records), [1_900_020]);
      assert.deepEqual(await push([dollar(60, 1_900_000)], one), counts({ accepted: 1 }));
      setNow(NOW + 3_600_000);
      assert.deepEqual(await push([dollar(57, 1_900_030)], one), counts({ accepted: 1 }));
      assert.deepEqual(await listImports(), ["open undefined", "done 1", "done 1", "undone undefined"]);
      // If the server is killed, the import counts as finished at the end of its hour.
      assert.equal((await listImports((NOW + 3_600_000) as UtcMillis))[0], "done undefined");
      const [last] = await imports.list();
      assert.match(last!.imported.subjects.join(), /^key \w{8} of collector$/);
      await route.finish();
      assert.deepEqual(await listImports(), ["done 1", "done 1", "done 1", "undone undefined"]);
      assert.equal((await imports.list())[2]!.imported.summary!.refused, 1);
    },
  ],

  [
    "concurrent requests are stored one after the other, and none is lost",
    async ({ push, key, records }) => {
      const keys = await Promise.all([key(), key(), key()]);
      const batch = (at: number) => Array.from({ length: 3_000 }, (_, i) => dollar(at * 3_000 + i + 1, 1_900_000 + i));
      const answers = await Promise.all(keys.map((one, at) => push(batch(at), one)));
      for (const answer of answers) assert.deepEqual(answer, counts({ accepted: 3_000 }));
      assert.equal((await records()).length, 9_000);
    },
  ],
];

/** Tests `POST /ingest` in front of a store. */
export function ingestSuite(
  name: string,
  open: () => Promise<{ readonly store: IngestedStore; close?(): Promise<void> }>,
): void {
  for (const [rule, run, isLarge] of CASES) {
    if (isLarge && !IS_NIGHTLY) continue;
    test(`ingest, ${name}: ${rule}`, async () => {
      const { store, close } = await open();
      try {
        await run(await pushing(store), store);
      } finally {
        await close?.();
      }
    });
  }
}
