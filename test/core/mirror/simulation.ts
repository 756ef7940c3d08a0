import type { AssetCode, UtcMillis } from "../../../core/brand.ts";
import { nextWanted } from "../../../core/mirror/archive.ts";
import {
  NEW_MIRROR, begun, budgetOf, checked, failed, filled, heard, nextAct, parseMirrorState, refreshed, rested, unitsLeft, writeMirrorState,
} from "../../../core/mirror/mod.ts";
import type { MirrorState, PaidAct } from "../../../core/mirror/mod.ts";
import { DAY, HOUR } from "../../support/generators.ts";

// A mirror and its upstream on one made-up clock. The upstream counts units as it gets requests, and has a record a day.

/** What may go wrong while a mirror runs. Chances are from 0 to 1, for each request. */
export interface Weather {
  readonly startAt: number;
  readonly days: number;
  readonly unitsADay: number;
  readonly codes: readonly AssetCode[];
  /** Days of history that the upstream has. */
  readonly archiveDays: number;
  /** Offset of the upstream's market time zone from UTC. */
  readonly zoneMs: number;
  /** Spans in which the upstream is not reached at all. */
  readonly outages: readonly (readonly [from: number, to: number])[];
  /** Spans in which no mirror runs. */
  readonly stops: readonly (readonly [from: number, to: number])[];
  readonly serverError: number;
  readonly timeout: number;
  readonly crash: number;
  /** A limit of requests in a short time, answered with 429 and `Retry-After`. */
  readonly rateLimit: number;
  /** Whether answers tell the quota. */
  readonly tellsQuota: boolean;
  readonly chance: () => number;
}

/** What came of it. */
export interface Course {
  /** Units that the upstream has counted, by its UTC day. */
  readonly units: ReadonlyMap<number, number>;
  /** The oldest that the latest values became while upstream and mirror had been up for an hour. */
  readonly oldestMs: number;
  /** Day numbers of the market days that history has brought, of those that were over, by code. */
  readonly closes: ReadonlyMap<AssetCode, ReadonlySet<number>>;
  /** The day of the run, from 0, on which the last close of the archive came. */
  readonly filledAfterDays: number | undefined;
  /** Midnights at which history was wanted and units were to spare. */
  readonly wasted: readonly string[];
  readonly state: MirrorState;
}

const TIMEOUT = 15_000;

/** Runs a mirror for some days. */
export function simulate(weather: Weather): Course {
  const { codes, chance, unitsADay } = weather;
  const budget = budgetOf(unitsADay);
  const plan = { budget, codes };
  const units = new Map<number, number>();
  const closes = new Map(codes.map((code) => [code, new Set<number>()]));
  const wasted: string[] = [];
  const firstDay = marketDay(weather.startAt) - weather.archiveDays;
  let now = weather.startAt;
  let state = NEW_MIRROR;
  let oldestMs = 0;
  let upSince = now;
  let filledAfterDays: number | undefined;

  function marketDay(time: number): number {
    return Math.floor((time + weather.zoneMs) / DAY);
  }

  function spanAt(spans: Weather["stops"]): readonly [number, number] | undefined {
    return spans.find(([from, to]) => now >= from && now < to);
  }

  function pass(ms: number): void {
    const midnight = (Math.floor(now / DAY) + 1) * DAY;
    if (now + ms >= midnight) noteMidnight(midnight);
    now = Math.ceil(now + ms);
    if (now - upSince > HOUR && state.refreshedAt !== null) oldestMs = Math.max(oldestMs, now - state.refreshedAt);
  }

  function noteMidnight(midnight: number): void {
    const before = (midnight - 60_000) as UtcMillis;
    const wanted = nextWanted(state, codes, before);
    const left = unitsLeft(state.ledger, unitsADay, before);
    const isUp = midnight - upSince > 3 * HOUR && state.failures === 0 && state.ledger.restUntil === null;
    if (isUp && wanted && left > budget.inHand) wasted.push(`${new Date(midnight).toISOString()}: ${left} units, ${wanted.part} of ${wanted.code}`);
  }

  /** The units that the upstream has left to the key. */
  function leftThere(): number {
    return unitsADay - (units.get(Math.floor(now / DAY)) ?? 0);
  }

  function quota() {
    return weather.tellsQuota ? { limit: unitsADay, remaining: leftThere(), resetsAt: ((Math.floor(now / DAY) + 1) * DAY) as UtcMillis } : undefined;
  }

  function restart(): void {
    state = { ...parseMirrorState(JSON.parse(JSON.stringify(writeMirrorState(state)))), checkedOn: null };
  }

  function pay(act: PaidAct): void {
    state = begun(state, act, now as UtcMillis);
    if (chance() < weather.crash) {
      // Between the ledger and the answer: half of the time, the request has left.
      if (chance() < 0.5) count();
      upSince = now;
      return restart();
    }
    // A request may take long to arrive.
    pass(chance() * 0.9 * TIMEOUT);
    if (chance() < weather.rateLimit) {
      pass(100);
      state = rested(heard(state, { isPaid: true, quota: quota() }, now as UtcMillis), 30_000, now as UtcMillis);
      upSince = now;
      return;
    }
    count();
    if (chance() < weather.timeout) {
      pass(0.1 * TIMEOUT);
      state = failed(state, act, { budget, chance: chance(), now: now as UtcMillis });
      upSince = now;
      return;
    }
    pass(chance() * 0.1 * TIMEOUT);
    state = heard(state, { isPaid: true, quota: quota() }, now as UtcMillis);
    if (chance() < weather.serverError) {
      state = failed(state, act, { budget, chance: chance(), now: now as UtcMillis });
      upSince = now;
      return;
    }
    state = act.kind === "refresh" ? refreshed(state, codes, { budget, now: now as UtcMillis }) : fill(act);
  }

  function count(): void {
    const day = Math.floor(now / DAY);
    units.set(day, (units.get(day) ?? 0) + 1);
  }

  function fill(act: PaidAct & { readonly kind: "history" }): MirrorState {
    const over = closes.get(act.code)!;
    const days = Array.from({ length: act.to - act.from + 1 }, (_, index) => act.from + index).filter((day) => day >= firstDay && day <= marketDay(now));
    for (const day of days) if (day < marketDay(now)) over.add(day);
    const isFilled = codes.every((code) => closes.get(code)!.has(firstDay));
    if (isFilled) filledAfterDays ??= (now - weather.startAt) / DAY;
    const [oldest] = days;
    return filled(state, act, { oldest: oldest === undefined ? null : ((oldest * DAY - weather.zoneMs) as UtcMillis), isDoubtful: false, now: now as UtcMillis });
  }

  const end = weather.startAt + weather.days * DAY;
  while (now < end) {
    const stop = spanAt(weather.stops);
    if (stop) {
      now = stop[1];
      upSince = now;
      restart();
      continue;
    }
    const act = nextAct(state, plan, now as UtcMillis);
    if (act.kind === "wait") {
      pass(Math.max(1, Math.min(act.until, ...weather.stops.map(([from]) => (from > now ? from : Infinity))) - now));
      continue;
    }
    // Each request is preceded by a free one for the upstream's time.
    if (spanAt(weather.outages)) {
      upSince = now;
      pass(TIMEOUT * chance());
      upSince = now;
      state = failed(state, undefined, { budget, chance: chance(), now: now as UtcMillis });
      continue;
    }
    pass(chance() * 1_000);
    if (act.kind === "check") {
      state = checked(heard(state, { isPaid: false, quota: quota() }, now as UtcMillis), true, now as UtcMillis);
      continue;
    }
    const again = nextAct(state, plan, now as UtcMillis);
    if (again.kind === "refresh" || again.kind === "history") pay(again);
  }
  return { units, oldestMs, closes, filledAfterDays, wasted, state };
}

/** Chances that are the same for the same seed. */
export function chances(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
