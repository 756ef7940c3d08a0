import { ingestRoute } from "../../adapters/feeds/push/mod.ts";
import { requestIds, sha256 } from "../../adapters/http/web_system.ts";
import { pageRoutes } from "../../adapters/page/mod.ts";
import { createMemoryStore, type MemoryStore } from "../../adapters/stores/memory_store.ts";
import { makeKey } from "../../core/accounts/keys.ts";
import {
  type AccountId,
  type AccountKeeper,
  type Api,
  type ApiOptions,
  ASSETS,
  type AssetCode,
  createApi,
  issueKey,
  type MaybePromise,
  type Observation,
  type Observations,
  type ObservationWriter,
  Unavailable,
  type UtcMillis,
  type Versioned,
} from "../../core/mod.ts";

/** The fixed time of all runners: 2026-11-21T10:00:00Z. */
export const NOW = Date.UTC(2026, 10, 21, 10) as UtcMillis;

/** Keys from fixed bytes, by purpose. `unknown` is well-formed, but no account has it. */
export const KEYS = {
  main: keyOf(1),
  small: keyOf(2),
  unlimited: keyOf(3),
  burst: keyOf(4),
  writer: keyOf(5),
  unknown: keyOf(6),
} as const;

/** The daily units of the accounts of `KEYS.small` and `KEYS.burst`. */
export const SMALL_UNITS = 3;
export const BURST_UNITS = 10;

/** Assets whose data cannot be read: one causes an unexpected error, one is temporarily unavailable. */
export const BROKEN = { error: "RUB_RLS", unavailable: "JPY_RLS" } as const;

/** Assets with no record, with one record, and with many. */
export const SAMPLES = { none: "XAUT_USD", one: "PEPE_USD", many: "USD_RLS" } as const;

const QUARTER = 900_000;
const DAY = 86_400_000;
const FINE_DAYS = 2;
const DAYS = 40;

/** The ports with data. */
export type Store = Pick<ApiOptions, "observations" | "accounts" | "quota">;

/** Makes a memory store that has the same data and keys in every runtime. */
export async function createStore(): Promise<MemoryStore> {
  const store = createMemoryStore();
  await fillStore(store);
  return { ...store, observations: { ...store.observations, ...withOneName(store.observations) } };
}

/** Fills a store with the data and keys of all runners. All JavaScript engines compute the same values. */
export async function fillStore(store: {
  readonly observations: ObservationWriter;
  readonly accounts: AccountKeeper;
}): Promise<void> {
  await store.observations.append([...observations()]);
  await fillBook(store.accounts);
}

/** Reads a store, but returns a fixed version. Otherwise the entity tags of different kinds of stores would differ. */
export function withOneName({ latest, coverage, lastOfEach, candles }: Observations): Observations {
  const version = "state.1";
  const named = async <T>(read: MaybePromise<Versioned<T>>): Promise<Versioned<T>> => ({
    version,
    value: (await read).value,
  });
  return {
    latest: (codes) => named(latest(codes)),
    coverage: (codes) => named(coverage(codes)),
    lastOfEach: (code, edges) => named(lastOfEach(code, edges)),
    candles: (code, window, widthMs) => named(candles(code, window, widthMs)),
    version: () => version,
  };
}

/** The real API at a fixed time. */
export function createApp(store: Store): Api {
  return createApi({
    clock: () => NOW,
    requestIds,
    sha256,
    ...store,
    // Pushes go to another store, so that they do not change the other answers.
    routes: [...pageRoutes(store), ingestRoute(createMemoryStore())],
    observations: {
      ...store.observations,
      latest(codes) {
        if (codes.length === 1 && codes[0] === BROKEN.error) throw new Error("not foreseen");
        if (codes.length === 1 && codes[0] === BROKEN.unavailable) throw new Unavailable("not now", 7);
        return store.observations.latest(codes);
      },
    },
  });
}

function* observations(): Generator<Observation> {
  for (const [index, { code }] of ASSETS.entries()) {
    if (code === SAMPLES.none) continue;
    if (code === SAMPLES.one) yield observation(code, 0.00000098, NOW - QUARTER);
    else if (code !== SAMPLES.many) yield observation(code, (index * 7_919 + 104_729) / 1_000, NOW - index * 60_000);
  }
  for (let time = NOW - DAYS * DAY; time <= NOW; time += time < NOW - FINE_DAYS * DAY ? DAY : QUARTER) {
    yield observation(SAMPLES.many, 1_900_000 + ((time / QUARTER) % 97) * 125, time);
  }
}

function observation(code: string, value: number, time: number): Observation {
  return {
    code: code as AssetCode,
    value,
    businessTime: time as UtcMillis,
    sourceTime: (time - 500) as UtcMillis,
    insertTime: NOW,
    provider: "میز ما",
    qualityStatus: "ACCEPTED",
    qualityMessage: code === SAMPLES.one ? "«آزمایشی» — 1 € = …" : "",
  };
}

async function fillBook(accounts: AccountKeeper): Promise<void> {
  const units = { main: 1_000_000, small: SMALL_UNITS, unlimited: null, burst: BURST_UNITS, writer: null };
  for (const [index, [name, dailyUnits]] of Object.entries(units).entries()) {
    const accountId = name as AccountId;
    const { entry } = await issueKey(
      { randomBytes: () => bytesOf(index + 1), sha256 },
      { accountId, createdAt: NOW, may: name === "writer" ? "write" : "read" },
    );
    await accounts.update([
      { op: "plan.patch", name: `PLAN_${name}`, dailyUnits, attributionRequired: index % 2 === 0 },
      { op: "key.create", entry, plan: `PLAN_${name}` },
    ]);
  }
}

function keyOf(seed: number): string {
  return makeKey(bytesOf(seed)).key;
}

function bytesOf(seed: number): Uint8Array {
  return Uint8Array.from({ length: 38 }, (_, at) => (seed * 37 + at * 11) % 256);
}
