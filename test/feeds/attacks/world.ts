import assert from "node:assert/strict";
import { ingestRoute } from "../../../adapters/feeds/push/mod.ts";
import { fetchHandler } from "../../../adapters/http/fetch_handler.ts";
import { nodeSystem } from "../../../adapters/http/node/mod.ts";
import { type JsonFileStore, openJsonFiles } from "../../../adapters/stores/json_files/mod.ts";
import { createImportWriter } from "../../../adapters/stores/shared/import_writer.ts";
import { ASSETS, type AssetCode, createApi, createKey, defineAsset, type UtcMillis } from "../../../core/mod.ts";
import { listOf, type Members, objectOf } from "../../support/api_under_test.ts";
import { at, DAY, MINUTE, observation } from "../../support/generators.ts";
import { newDirectory } from "../../support/json_files_fixtures.ts";
import type { RunningMirror } from "../mirror/virtual.ts";

// A market whose true prices are known, and a server in front of it. The attack begins on day 0.

/** The price of each asset, and the factor by which a feed may change it in a day. */
const MARKET: Readonly<Record<string, readonly [level: number, factor: number]>> = {
  USD_RLS: [1_900_000, 1.4],
  EUR_RLS: [2_200_000, 1.4],
  RUB_RLS: [24_000, 1.6],
  SEKKEH_RLS: [2_100_000_000, 1.45],
  USDT_USD: [1, 1.1],
  USDT_RLS: [1_900_000, 1.4],
  GOLD_OUNCE_USD: [4_500, 1.25],
  BTC_USD: [83_000, 1.9],
  LINK_USD: [15, 1.9],
  LINK_RLS: [28_500_000, 1.9],
  STOCK_IR: [4_000_000, 1.25],
  NEWCOIN_USD: [0.7, 1.9],
};
/** The catalog of the contract, and assets that are not in the tables of prices. */
const CATALOG = [
  ...ASSETS,
  defineAsset({ code: "NEWCOIN_USD", category: "CRYPTO", nameEn: "New Coin", nameFa: "سکه نو" }),
];
export const CODES = Object.keys(MARKET);
export const IMPORTED_DAYS = 30;
/** The start of day 0: midnight in Tehran. */
const START = Date.parse("2026-11-21T20:30:00Z");

export function timeOf(day: number, minute: number): UtcMillis {
  return at(START + day * DAY + minute * MINUTE);
}

export function dayOf(time: number): number {
  return Math.floor((time - START) / DAY);
}

/** The logarithm of the factor by which feeds may change a price within `days`. */
export function boundOf(code: string, days: number): number {
  return days * Math.log(MARKET[code]![1]);
}

/** The logarithm of the largest factor between two records that are `days` apart. */
export function widthOf(code: string, days: number): number {
  const most = [2, 2.4, 2.6, 3.6][[3, 14, 31].filter((end) => days > end).length]!;
  return Math.min(boundOf(code, days), Math.log(MARKET[code]![1] === 1.9 ? 9.6 : most));
}

/** A server with a file store and a manual clock, a collector that pushes true prices, and two keys of an attacker. */
export type World = Awaited<ReturnType<typeof startWorld>>;

/** Starts a world. An operator has imported 30 days of all assets. */
export async function startWorld(seed: number) {
  const directory = await newDirectory();
  // The true price swings around the `level` in `MARKET`, by up to an eleventh of the daily bound.
  const swing = (code: string, day: number): number => Math.sin(day * 0.7 + seed * (1 + CODES.indexOf(code)));
  const truth = (code: string, day: number) => MARKET[code]![0] * Math.exp((boundOf(code, 1) / 11) * swing(code, day));
  let now = timeOf(-1, 1_400);
  const clock = (): UtcMillis => now;
  let store: JsonFileStore;
  let handle: ReturnType<typeof fetchHandler>;

  async function open(): Promise<JsonFileStore> {
    store = await openJsonFiles(directory, { clock });
    const routes = [ingestRoute(store, { assets: CATALOG })];
    handle = fetchHandler(createApi({ ...nodeSystem, ...store, clock, assets: CATALOG, routes }));
    return store;
  }

  const { accounts, imports } = await open();
  await accounts.update([{ op: "plan.patch", name: "OPEN", dailyUnits: null, attributionRequired: false }]);
  const makeKey = (account: string) =>
    createKey(accounts, { ...nodeSystem, clock }, account, { plan: "OPEN", may: "read,write" });
  const honest = await makeKey("collector");
  const attackers = [await makeKey("attacker"), await makeKey("attacker")] as const;

  async function ask(path: string, init: RequestInit = {}, key: string = honest): Promise<unknown> {
    const headers = { "Content-Type": "application/json", "X-API-Key": key };
    const answer = await handle(new Request(`http://localhost${path}`, { ...init, headers }));
    const body: unknown = await answer.json();
    // 429 is allowed, because an attacker may reach the limit of pending values.
    if (answer.status === 429) return {};
    assert.ok(answer.status === 200 || answer.status === 404, `${path}: ${answer.status} ${JSON.stringify(body)}`);
    return answer.status === 200 ? body : [];
  }

  async function push(records: readonly object[], key: string = attackers[0]): Promise<Members> {
    return objectOf(await ask("/ingest", { method: "POST", body: JSON.stringify(records) }, key));
  }

  /** A record with `factor` times the true price. */
  function record(code: string, factor: number, time: number = now) {
    const value = Number((truth(code, dayOf(time)) * factor).toPrecision(9));
    return { code, value, businessTime: iso(time) };
  }

  const past = Array.from({ length: IMPORTED_DAYS }, (_, i) => timeOf(i - IMPORTED_DAYS, 720));
  const plan = { type: "import", subjects: ["prices.csv"], source: "import", by: { pid: 1, host: "x" } } as const;
  const writer = createImportWriter(imports, plan, { keepExisting: false });
  for (const code of CODES as AssetCode[]) {
    const valueAt = (time: UtcMillis): number => record(code, 1, time).value;
    await writer.append(past.map((businessTime) => observation({ code, businessTime, value: valueAt(businessTime) })));
  }
  await writer.finish({ refused: 0, complete: true });

  return {
    ...{ truth, attackers, push, record },
    levels: new Map<string, number>(), // by key and asset: the last accepted value, divided by the true price
    now: clock,
    observations: () => store.observations,
    mirror: undefined as RunningMirror | undefined,
    close: () => store.close(),
    goTo: (time: UtcMillis) => void (now = Math.max(now, time) as UtcMillis),
    pass: (minutes: number) => void (now = (now + minutes * MINUTE) as UtcMillis),
    /** Pushes true prices; returns how many of them were not accepted. */
    async pushTruth(codes: readonly string[]): Promise<number> {
      const records = codes.map((code) => record(code, 1));
      const { pending, refused } = await push(records, honest);
      return Number(pending) + Number(refused);
    },
    restart: () => store.close().then(open),
    /** The ratio of the latest value to the true price. */
    async latestFactor(code: string): Promise<number> {
      const [latest] = listOf(await ask(`/api/v1/assets?codes=${code}`));
      return latest ? Number(latest["value"]) / truth(code, dayOf(now)) : 1;
    },
    /** The prices of an asset in the answers of all routes. */
    async served(code: string) {
      const [day, path] = [dayOf(now), `/api/v1/assets/${code}`];
      const times = [day - ((day * 7) % IMPORTED_DAYS), day - 30, day + 1].map((one) => iso(timeOf(one, 720)));
      const [some, from, to] = times.map((time) => time.slice(0, 10));
      const ohlc = `${path}/ohlc?interval=15m&from=${times[1]}&to=${iso(timeOf(day + 2, 0))}`;
      const routes = [path, `${path}/${some}`, `${path}/history?from=${from}&to=${to}`, ohlc];
      const answers = routes.map(async (route) =>
        listOf([await ask(route)].flat())
          .flatMap((body) => (body["candles"] === undefined ? body : listOf(body["candles"])))
          .flatMap((one) => pricesOf(route, one)),
      );
      return (await Promise.all(answers)).flat();
    },
  };
}

function pricesOf(route: string, one: Members) {
  const day = dayOf(Date.parse(String(one["businessTime"] ?? one["start"])));
  const names = ["value", "low", "high"].filter((name) => name in one);
  return names.map((name) => ({ route: `${route} ${name}`, day, value: Number(one[name]) }));
}

export function iso(time: number): string {
  return new Date(time).toISOString();
}
