import {
  checkedClock,
  createZone,
  DAY_MS,
  dateOfDayNumber,
  dayNumber,
  HOUR_MS,
  indexAssets,
  MINUTE_MS,
} from "../../../core/internal.ts";
import { ASSETS, type AssetCode, type Observation, type UtcMillis } from "../../../core/mod.ts";
import { parseBase } from "../../client/client_options.ts";
import { wait } from "../../client/retry.ts";
import { systemClock } from "../../http/web_system.ts";
import { createFeedRule } from "../../intake/levels/feed_rule.ts";
import { createUpstream, type Heard, membersOf } from "./ask_upstream.ts";
import { SOURCE, takeRecords } from "./check_records.ts";
import { FIRST_CODES, type MirrorOptions } from "./mirror_options.ts";
import { createReports, type MirrorMoment, type MirrorStatus } from "./mirror_status.ts";
import {
  begun,
  checked,
  createUpstreamClock,
  type DayRange,
  failed,
  filled,
  hear,
  intervalOf,
  type MirrorAct,
  type MirrorPlan,
  type MirrorState,
  NEW_MIRROR,
  nextAct,
  type PaidAct,
  paidUnit,
  parseMirrorState,
  refreshed,
  refused,
  unitsADayOf,
  wished,
  withMovedClock,
  writeMirrorState,
} from "./planner/mod.ts";

/** A mirror that runs. */
export interface Mirror {
  status(): MirrorStatus;
  /** Asks for the days of an asset again, before other history. Throws `RangeError` for a code that the catalog does not have, and for days that are no range, in the future or more than 366. */
  again(code: AssetCode, range: DayRange): true;
  /** Ends it: the request that is under way is broken off. Settles when nothing is written any more. */
  close(): Promise<void>;
}

/** More days at a time would keep all other history waiting for weeks. */
export const MAX_WISHED_DAYS = 366;
/** A clock that is off by more is worth a line in the log. */
const CLOCK_OFF_MS = 2 * MINUTE_MS;
/** How long to wait while the store takes nothing, and after an unexpected error. */
const [STORE_PAUSE_MS, FAULT_PAUSE_MS] = [5_000, MINUTE_MS];

/**
 * Starts to keep a store filled from an upstream of this API. Settles when the state is loaded; what the upstream says
 * comes later, as `status` and `onEvent`.
 *
 * @throws TypeError or RangeError for options that cannot be used, or a state that cannot be read.
 */
export async function startMirror(options: MirrorOptions): Promise<Mirror> {
  const {
    state: store,
    observations,
    assets = ASSETS,
    unitsADay = 50,
    onAttributionRequired,
    canStore = () => true,
    onEvent = () => undefined,
  } = options;
  const { elapsed = () => Math.floor(performance.now()), sleep = wait } = options;
  const clock = checkedClock(options.clock ?? systemClock);
  const { fetch: send = fetch, marketTimeZone = "Asia/Tehran" } = options;
  const baseUrl = parseBase(options.upstream);
  const provider = options.provider ?? new URL(baseUrl).hostname.slice(0, 64);
  const catalog = indexAssets(assets);
  const zone = createZone(marketTimeZone);
  const first = FIRST_CODES.filter((code) => catalog.has(code)) as AssetCode[];
  const codes = options.codes ?? [...new Set([...first, ...assets.map(({ code }) => code)])];
  for (const code of codes) demandCode(code);
  intervalOf(unitsADay);
  const rule = createFeedRule({ store: observations, assets, marketTimeZone });
  const midnightAfter = (time: UtcMillis): UtcMillis => zone.startOfDay(dayNumber(zone.dateAt(time)) + 1);
  const plan: MirrorPlan = { unitsADay, codes, first: (options.codes ?? first).length, midnightAfter };

  const ending = new AbortController();
  const { signal } = ending;
  let nap = new AbortController();
  const loaded = await store.load();
  // Each start checks the access, as its key may be another one.
  let state: MirrorState = {
    ...(loaded === undefined ? NEW_MIRROR : parseMirrorState(loaded)),
    accessAt: null,
    isRefused: false,
  };
  let key = await readKey();
  /** How many of its values are pending. */
  let pending = await observations.countPending(SOURCE);
  let wishes: readonly (DayRange & { readonly code: AssetCode })[] = [];

  const start = { time: state.ledger.spans.at(-1)?.to, aheadMs: state.aheadMs ?? 0 };
  const upstreamClock = createUpstreamClock({ clock, elapsed }, start);
  const now = (): UtcMillis => (clock() + upstreamClock.aheadMs()) as UtcMillis;
  const reports = createReports({ upstream: baseUrl, provider, catalog, startedAt: now(), onEvent });
  const upstream = createUpstream(baseUrl, { send, now });
  const perDay = (): number => unitsADayOf(state.ledger, unitsADay, now());

  function demandCode(code: AssetCode): void {
    if (!catalog.has(code)) throw new RangeError(`Cannot mirror as the code "${code}" is not in the catalog`);
  }

  /** Whether the asset is traded at some hours alone. */
  function hasHours(code: AssetCode): boolean {
    const { quoteUnit, category } = catalog.get(code)!;
    return quoteUnit === "RLS" && category !== "CRYPTO";
  }

  async function readKey(): Promise<string> {
    const text: unknown = typeof options.key === "function" ? await options.key() : options.key;
    if (typeof text === "string" && /^[\x21-\x7e]+$/.test(text)) return text;
    throw new TypeError("Cannot mirror as the key must be a text of printable characters without blanks");
  }

  /** Another key may have other units; what was spent stays a floor. */
  async function renewKey(): Promise<void> {
    const next = await readKey().catch(() => key);
    if (next !== key)
      state = {
        ...state,
        isRefused: false,
        accessAt: null,
        ledger: { ...state.ledger, statement: null, plan: null, rest: null },
      };
    key = next;
  }

  async function save(next: MirrorState): Promise<void> {
    await store.save(writeMirrorState(next));
    state = next;
  }

  async function pause(ms: number): Promise<void> {
    if (signal.aborted) return;
    nap = new AbortController();
    await sleep(ms, nap.signal).catch(() => undefined);
  }

  function failWith(message: string, act?: PaidAct): MirrorState {
    if (act?.kind === "history") reports.history(message);
    else reports.failing(message, now());
    return failed(state, { act, intervalMs: intervalOf(perDay()) }, now());
  }

  /** Asks for the upstream's time, by which units and records are judged, and so that none is spent on an upstream that is away. */
  async function setClock(): Promise<boolean> {
    if (upstreamClock.isRecent()) return true;
    const time = await upstream.time(signal);
    if (signal.aborted) return false;
    const heard = typeof time === "string" ? undefined : upstreamClock.hear(time);
    if (!heard) {
      state = failWith(
        typeof time === "string"
          ? time
          : `The upstream's clock and this machine's are ${Math.round(Math.abs(time - clock()) / HOUR_MS)} hours apart: check both`,
      );
      return false;
    }
    const ahead = upstreamClock.aheadMs();
    state = { ...state, aheadMs: ahead, ledger: withMovedClock(state.ledger, heard.jumpMs) };
    const words = `${Math.round(Math.abs(ahead) / MINUTE_MS)} minutes ${ahead > 0 ? "behind" : "ahead of"} the upstream's`;
    if (heard.isStill)
      reports.once("warn", "clock", "The upstream's status repeats an old time, as from a cache: it is ignored");
    else if (Math.abs(ahead) > CLOCK_OFF_MS)
      reports.once("warn", "clock", `This machine's clock is ${words}, by which records are judged: set it`);
    return true;
  }

  /** Takes over what an answer tells of units, and of the key. */
  function note(answer: Heard): void {
    reports.answered(answer.kind);
    for (const statement of answer.quota) state = { ...state, ledger: hear(state.ledger, statement, now()) };
    if (answer.kind === "refused") reports.failing(answer.reason, now());
    state = { ...state, isRefused: state.isRefused || answer.kind === "refused" };
    const units = perDay();
    if (units < unitsADay)
      reports.once(
        "warn",
        "smaller-plan",
        `The upstream's key has ${units} units a day, and the mirror may spend ${unitsADay}: it plans with ${units}`,
      );
  }

  async function checkAccess(): Promise<void> {
    const answer = await upstream.ask("/api/v1/access", key, signal);
    if (signal.aborted) return;
    note(answer);
    if (answer.kind !== "refused" && state.isRefused) reports.works();
    const required = answer.kind === "answered" ? membersOf(answer.body)["attributionRequired"] : undefined;
    // Passed on before it is recorded, so that a crash in between passes it on again.
    if (required === true && state.attributionRequired !== true) await onAttributionRequired?.();
    // An upstream that answers everything but this is mirrored nevertheless.
    await save(
      checked(
        state,
        { isRefused: answer.kind === "refused", attribution: typeof required === "boolean" ? required : null },
        now(),
      ),
    );
  }

  async function pay(act: PaidAct): Promise<void> {
    await save(begun(state, act, now()));
    const wanted = act.kind === "history" ? act : undefined;
    const path = wanted
      ? `/${encodeURIComponent(wanted.code)}/history?from=${dateOfDayNumber(wanted.from)}&to=${dateOfDayNumber(wanted.to)}`
      : "";
    const answer = await upstream.ask(`/api/v1/assets${path}`, key, signal);
    if (answer.kind === "answered") state = { ...state, ledger: paidUnit(state.ledger) };
    note(answer);
    if (answer.kind === "limited")
      state = refused(state, { retryAfterMs: answer.retryAfterMs, budget: unitsADay }, now());
    if (signal.aborted || answer.kind !== "answered")
      return save(answer.kind === "failed" && !signal.aborted ? failWith(answer.reason, act) : state);
    const moved: UtcMillis[] = [];
    function onJudged(records: readonly Observation[]): void {
      for (const { code, businessTime } of records) if (hasHours(code)) moved.push(businessTime);
      options.onJudged?.(records);
    }
    const found = await takeRecords(
      answer.body,
      { catalog, provider, observations, rule, wanted, receivedAt: clock(), onJudged },
      now(),
    );
    if (typeof found === "string") return save(failWith(found, act));
    const problem = reports.taken(found, { isRefresh: !wanted, archive: state.archive }, now());
    pending = await observations.countPending(SOURCE);
    if (!wanted) {
      const { newestOf, newest } = found;
      if (newest === null) return save(failWith(problem ?? "The answer has no record that can be used", act));
      reports.works();
      const doubtful = found.newlyPending.map(({ code }) => code);
      // A few prices that are corrected at night open no market.
      const movedTo =
        moved.sort((a, b) => b - a)[Math.floor([...newestOf.keys()].filter(hasHours).length / 10)] ?? null;
      return save(refreshed(state, { newestOf, newest, movedTo, pending: doubtful, midnightAfter }, now()));
    }
    reports.history(null);
    state = filled(state, wanted, { ...found, now: now() });
    return save(state);
  }

  function moment(): MirrorMoment {
    const time = now();
    return { state, plan, next: nextAct(state, plan, time), now: time, behindMs: upstreamClock.aheadMs(), pending };
  }

  /** Does one act, or waits for the next one. */
  async function step(): Promise<void> {
    if (!canStore()) return pause(STORE_PAUSE_MS);
    await renewKey();
    const wanted = wishes;
    if (wanted.length > 0) await save(wanted.reduce((sum, wish) => wished(sum, wish, now()), state));
    // Those that have come meanwhile, and all that could not be saved, stay.
    wishes = wishes.slice(wanted.length);
    const present = moment();
    reports.reportState(present);
    // By a unit that was spent later than now, a clock shows that was set back.
    const isBack = present.now < (state.ledger.spans.at(-1)?.to ?? 0);
    if (present.next.kind === "wait" && (present.next.why === "retry" || !isBack)) return waitFor(present.next);
    if (!(await setClock())) return;
    const act = moment().next;
    if (act.kind === "wait") return waitFor(act);
    return act.kind === "check" ? checkAccess() : pay(act);
  }

  function waitFor({ until }: Extract<MirrorAct, { kind: "wait" }>): Promise<void> {
    // After an hour at most, the clock may have changed; while a key is refused, there may be another one each minute.
    return pause(Math.min(state.isRefused ? MINUTE_MS : HOUR_MS, Math.max(1, until - now())));
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await step().catch((error: unknown) => {
        // Usually the disk is full. Either nothing was asked for yet, or the answer is lost and its unit is spent.
        reports.once(
          "error",
          "not-stored",
          `The mirror could not store what it needs to, and tries again each minute: ${error instanceof Error ? error.message : String(error)}`,
        );
        return pause(FAULT_PAUSE_MS);
      });
    }
  }

  const running = run();
  return {
    status: () => reports.status(moment()),
    again(code, { from, to }) {
      demandCode(code);
      const today = Math.floor(now() / DAY_MS) + 1;
      if (!(from <= to && from <= today && to - from < MAX_WISHED_DAYS))
        throw new RangeError(
          `Cannot ask for days again as they must be at most ${MAX_WISHED_DAYS}, the first not after the last or today`,
        );
      wishes = [...wishes, { code, from: Math.floor(from), to: Math.min(Math.floor(to), today) }];
      nap.abort();
      return true;
    },
    async close() {
      ending.abort();
      nap.abort();
      await running;
    },
  };
}
