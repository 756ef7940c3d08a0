import { checkedClock, createZone, dayNumber, HOUR_MS, indexAssets, MINUTE_MS } from "../../../core/internal.ts";
import { ASSETS, type AssetCode, type Observation, type UtcMillis } from "../../../core/mod.ts";
import { parseBase } from "../../client/client_options.ts";
import { wait } from "../../client/retry.ts";
import { systemClock } from "../../http/web_system.ts";
import { createFeedRule } from "../../intake/levels/feed_rule.ts";
import { createUpstream, membersOf, pricesPath, type UpstreamAnswer } from "./ask_upstream.ts";
import { SOURCE, storeRecords } from "./check_records.ts";
import { FIRST_CODES, type Mirror, type MirrorOptions, readMirrorKey } from "./mirror_options.ts";
import { createReports } from "./mirror_reports.ts";
import type { MirrorMoment } from "./mirror_status.ts";
import * as planner from "./planner/mod.ts";

/** A larger difference between the clocks is logged. */
const CLOCK_OFF_MS = 2 * MINUTE_MS;
/** How long to wait while the store accepts no records, and after an unexpected error. */
const [STORE_PAUSE_MS, FAULT_PAUSE_MS] = [5_000, MINUTE_MS];

/**
 * Starts filling a store from an upstream of this API. Resolves when the state is loaded. Failures of the upstream are
 * reported by `status` and `onEvent`.
 *
 * @throws TypeError or RangeError for invalid options or an unreadable state.
 */
export async function startMirror(options: MirrorOptions): Promise<Mirror> {
  const { state: store, observations, assets = ASSETS, unitsADay = 50, marketTimeZone = "Asia/Tehran" } = options;
  const { canStore = () => true, onEvent = () => undefined, fetch: send = fetch } = options;
  const { elapsed = () => Math.floor(performance.now()), sleep = wait } = options;
  const clock = checkedClock(options.clock ?? systemClock);
  const baseUrl = parseBase(options.upstream);
  const provider = options.provider ?? new URL(baseUrl).hostname.slice(0, 64);
  const catalog = indexAssets(assets);
  const zone = createZone(marketTimeZone);
  const first = FIRST_CODES.filter((code) => catalog.has(code)) as AssetCode[];
  const codes = options.codes ?? [...new Set([...first, ...assets.map(({ code }) => code)])];
  for (const code of codes) demandCode(code);
  planner.intervalOf(unitsADay);
  const rule = createFeedRule({ store: observations, assets, marketTimeZone });
  const midnightAfter = (time: UtcMillis): UtcMillis => zone.startOfDay(dayNumber(zone.dateAt(time)) + 1);
  const plan: planner.MirrorPlan = { unitsADay, codes, first: (options.codes ?? first).length, midnightAfter };

  const ending = new AbortController();
  const { signal } = ending;
  let nap = new AbortController();
  const loaded = await store.load();
  // After each start, the mirror first requests `/access`, because the key may have changed.
  let state: planner.MirrorState = {
    ...(loaded === undefined ? planner.NEW_MIRROR : planner.parseMirrorState(loaded)),
    accessAt: null,
    isRefused: false,
  };
  let key = await readMirrorKey(options.key);
  let pending = await observations.countPending(SOURCE);
  let wishes: readonly (planner.DayRange & { readonly code: AssetCode })[] = [];

  const upstreamClock = planner.createUpstreamClock(
    { clock, elapsed },
    { time: state.ledger.spans.at(-1)?.to, aheadMs: state.aheadMs ?? 0 },
  );
  const now = (): UtcMillis => (clock() + upstreamClock.aheadMs()) as UtcMillis;
  const reports = createReports({ upstream: baseUrl, provider, catalog, startedAt: now(), onEvent });
  const upstream = createUpstream(baseUrl, { send, now });
  const perDay = (): number => planner.unitsADayOf(state.ledger, unitsADay, now());

  function demandCode(code: AssetCode): void {
    if (!catalog.has(code)) throw new RangeError(`Cannot mirror because the code "${code}" is not in the catalog`);
  }

  /** Whether the asset is traded only at certain hours. */
  function hasHours(code: AssetCode): boolean {
    const { quoteUnit, category } = catalog.get(code)!;
    return quoteUnit === "RLS" && category !== "CRYPTO";
  }

  /** Reads the key. A new key may have a different number of units, but units spent before still count. */
  async function renewKey(): Promise<void> {
    const next = await readMirrorKey(options.key).catch(() => key);
    if (next === key) return;
    key = next;
    const ledger = { ...state.ledger, statement: null, plan: null, rest: null };
    state = { ...state, isRefused: false, accessAt: null, ledger };
  }

  async function save(next: planner.MirrorState): Promise<void> {
    await store.save(planner.writeMirrorState(next));
    state = next;
  }

  async function pause(ms: number): Promise<void> {
    if (signal.aborted) return;
    nap = new AbortController();
    await sleep(ms, nap.signal).catch(() => undefined);
  }

  function failWith(message: string, act?: planner.PaidAct): planner.MirrorState {
    if (act?.kind === "history") reports.history(message);
    else reports.failing(message, now());
    return planner.failed(state, { act, intervalMs: planner.intervalOf(perDay()) }, now());
  }

  /** Requests the upstream's time if the known time is old. Called before a unit is spent: a failure costs no unit. */
  async function setClock(): Promise<boolean> {
    if (upstreamClock.isRecent()) return true;
    const time = await upstream.time(signal);
    if (signal.aborted) return false;
    if (typeof time === "string") {
      state = failWith(time);
      return false;
    }
    const change = upstreamClock.hear(time);
    if (!change) {
      const hours = Math.round(Math.abs(time - clock()) / HOUR_MS);
      state = failWith(`The upstream's clock and this machine's are ${hours} hours apart: check both`);
      return false;
    }
    const aheadMs = upstreamClock.aheadMs();
    state = { ...state, aheadMs, ledger: planner.withMovedClock(state.ledger, change.jumpMs) };
    const words = `${Math.round(Math.abs(aheadMs) / MINUTE_MS)} minutes ${aheadMs > 0 ? "behind" : "ahead of"} the upstream's`;
    if (change.isStill)
      reports.once("warn", "clock", "The upstream's status repeats an old time, perhaps from a cache: it is ignored");
    else if (Math.abs(aheadMs) > CLOCK_OFF_MS)
      reports.once("warn", "clock", `This machine's clock is ${words}: set it; the mirror uses the upstream's time`);
    return true;
  }

  /** Records what an answer states about units, and whether the answer refuses the key. */
  function note(answer: UpstreamAnswer): void {
    reports.answered(answer.kind);
    for (const statement of answer.quota) state = { ...state, ledger: planner.hear(state.ledger, statement, now()) };
    if (answer.kind === "refused") {
      reports.failing(answer.reason, now());
      state = { ...state, isRefused: true };
    }
    const units = perDay();
    const message = `The key has ${units} units a day at the upstream, and the mirror may spend ${unitsADay}: it plans with ${units}`;
    if (units < unitsADay) reports.once("warn", "smaller-plan", message);
  }

  async function checkAccess(): Promise<void> {
    const answer = await upstream.ask("/api/v1/access", key, signal);
    if (signal.aborted) return;
    note(answer);
    const isRefused = answer.kind === "refused";
    if (!isRefused && state.isRefused) reports.works();
    const required = answer.kind === "answered" ? membersOf(answer.body)["attributionRequired"] : undefined;
    // Call this before saving the state: if the program crashes in between, the next start calls it again.
    if (required === true && state.attributionRequired !== true) await options.onAttributionRequired?.();
    // If only `/access` fails, the mirror continues.
    await save(
      planner.checked(state, { isRefused, attribution: typeof required === "boolean" ? required : null }, now()),
    );
  }

  async function pay(act: planner.PaidAct): Promise<void> {
    await save(planner.begun(state, act, now()));
    const wanted = act.kind === "history" ? act : undefined;
    const answer = await upstream.ask(pricesPath(wanted), key, signal);
    if (answer.kind === "answered") state = { ...state, ledger: planner.paidUnit(state.ledger) };
    note(answer);
    if (answer.kind === "limited")
      state = planner.refused(state, { retryAfterMs: answer.retryAfterMs, budget: unitsADay }, now());
    if (signal.aborted || answer.kind !== "answered")
      return save(answer.kind === "failed" && !signal.aborted ? failWith(answer.reason, act) : state);
    const moved: UtcMillis[] = [];
    function onJudged(records: readonly Observation[]): void {
      for (const { code, businessTime } of records) if (hasHours(code)) moved.push(businessTime);
      options.onJudged?.(records);
    }
    const context = { catalog, provider, observations, rule, wanted, receivedAt: clock(), onJudged };
    const stored = await storeRecords(answer.body, context, now());
    if (typeof stored === "string") return save(failWith(stored, act));
    const problem = reports.stored(stored, wanted ? undefined : state.archive.keys(), now());
    pending = await observations.countPending(SOURCE);
    if (wanted) {
      reports.history(null);
      state = planner.filled(state, wanted, { ...stored, isDoubtful: stored.pendingCodes.size > 0, now: now() });
      return save(state);
    }
    const { newestOf, newest, newlyPending } = stored;
    if (newest === null) return save(failWith(problem ?? "The answer has no usable record", act));
    reports.works();
    // A few corrections at night do not mean that the market is open.
    const least = Math.floor([...newestOf.keys()].filter(hasHours).length / 10);
    const movedTo = moved.sort((a, b) => b - a)[least] ?? null;
    const pendingCodes = newlyPending.map(({ code }) => code);
    return save(planner.refreshed(state, { newestOf, newest, movedTo, pending: pendingCodes, midnightAfter }, now()));
  }

  function moment(): MirrorMoment {
    const time = now();
    const next = planner.nextAct(state, plan, time);
    return { state, plan, next, now: time, behindMs: upstreamClock.aheadMs(), pending };
  }

  /** Performs the next act, or waits for it. */
  async function step(): Promise<void> {
    if (!canStore()) return pause(STORE_PAUSE_MS);
    await renewKey();
    const wanted = wishes;
    if (wanted.length > 0) await save(wanted.reduce((sum, wish) => planner.wished(sum, wish, now()), state));
    // Removes only the saved days. Days that an operator added during the save are kept.
    wishes = wishes.slice(wanted.length);
    const present = moment();
    reports.reportState(present);
    // If the last unit was spent at a time after now, a clock was set back.
    const isBack = present.now < (state.ledger.spans.at(-1)?.to ?? 0);
    if (present.next.kind === "wait" && (present.next.why === "retry" || !isBack)) return waitFor(present.next);
    if (!(await setClock())) return;
    const act = moment().next;
    if (act.kind === "wait") return waitFor(act);
    return act.kind === "check" ? checkAccess() : pay(act);
  }

  function waitFor({ until }: Extract<planner.MirrorAct, { kind: "wait" }>): Promise<void> {
    // Waits at most an hour: the clock may be set meanwhile. While the key is refused, looks for a new key each minute.
    return pause(Math.min(state.isRefused ? MINUTE_MS : HOUR_MS, Math.max(1, until - now())));
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      await step().catch((error: unknown) => {
        // The usual reason is a full disk. Either no request was sent, or an answer is lost and its unit is spent.
        const why = error instanceof Error ? error.message : String(error);
        const message = `The mirror could not store its state or records, and retries each minute: ${why}`;
        reports.once("error", "not-stored", message);
        return pause(FAULT_PAUSE_MS);
      });
    }
  }

  const running = run();
  return {
    status: () => reports.status(moment()),
    again(code, range) {
      demandCode(code);
      wishes = [...wishes, { code, ...planner.checkedWish(range, now()) }];
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
