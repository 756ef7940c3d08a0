import { HOUR_MS, indexAssets } from "../../core/internal.ts";
import { NEW_MIRROR, budgetOf, checked, failed, heard, nextAct, parseMirrorState, planLimit, rested, writeMirrorState, begun } from "../../core/mirror/mod.ts";
import type { MirrorAct, MirrorPlan, MirrorState, PaidAct, QuotaTold } from "../../core/mirror/mod.ts";
import { ASSETS } from "../../core/mod.ts";
import type { UtcMillis } from "../../core/mod.ts";
import { systemClock } from "../system.ts";
import { baseUrlOf } from "./options.ts";
import type { MirrorOptions } from "./options.ts";
import { createReports } from "./reports.ts";
import { sleepFor } from "./sleep.ts";
import { mirrorStatus, restOf } from "./status.ts";
import type { MirrorMoment, MirrorStatus } from "./status.ts";
import { createTaker, historyPath } from "./take_answer.ts";
import { createUpstream, membersOf } from "./upstream.ts";

/** A mirror that runs. */
export interface Mirror {
  status(): MirrorStatus;
  /** Ends it: the request that is under way is broken off. Settles when nothing is written any more. */
  close(): Promise<void>;
}

/** The longest single sleep, so that a change of the clock is noticed. */
const MAX_SLEEP_MS = HOUR_MS;
/** If clock and sleep differ by more than this, the clock was set, or the machine was suspended. */
const CLOCK_STEP_MS = 2_000;
/** If the two clocks differ by more than this, one of them is wrong, and nobody knows what day it is. */
const MAX_CLOCK_ERROR_MS = 36 * HOUR_MS;
const STORE_PAUSE_MS = 5_000;
/** How long to wait after an unexpected error. */
const FAULT_PAUSE_MS = 60_000;
const ALL_VALUES = "/api/v1/assets";

/**
 * Starts to keep a store filled from an upstream of this API. Settles when the state is loaded; what the upstream says
 * comes later, as `status` and `onEvent`.
 *
 * @throws TypeError or RangeError for options that cannot be used, or a state that cannot be read.
 */
export async function startMirror(options: MirrorOptions): Promise<Mirror> {
  const { key, state: store, assets = ASSETS, unitsADay = 50, onAttributionRequired, canStore = () => true } = options;
  const { clock = systemClock, sleep = sleepFor, chance = Math.random, fetch: send = fetch } = options;
  const baseUrl = baseUrlOf(options.upstream);
  const provider = options.provider ?? new URL(baseUrl).hostname.slice(0, 64);
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) throw new TypeError("Cannot mirror as the key must be a text of printable characters without blanks");
  const catalog = indexAssets(assets);
  let plan: MirrorPlan = { budget: budgetOf(unitsADay), codes: options.codes ?? assets.map(({ code }) => code) };
  const strange = plan.codes.find((code) => !catalog.has(code));
  if (strange !== undefined) throw new RangeError(`Cannot mirror as the code "${strange}" is not in the catalog`);

  const upstream = createUpstream(baseUrl, key, send);
  const reports = createReports(options.onEvent ?? (() => undefined));
  const take = createTaker({ catalog, provider, observations: options.observations, clock, reports });
  const ending = new AbortController();
  const { signal } = ending;
  const loaded = await store.load();
  // Each start checks the access, as its key may be another one.
  let state: MirrorState = { ...(loaded === undefined ? NEW_MIRROR : parseMirrorState(loaded)), checkedOn: null };
  /** How far the upstream's clock is ahead of ours. */
  let aheadMs = 0;
  let isClockSure = true;
  let isStopped = false;

  const now = (): UtcMillis => (clock() + aheadMs) as UtcMillis;

  async function save(next: MirrorState): Promise<void> {
    await store.save(writeMirrorState(next));
    state = next;
  }

  async function pause(ms: number): Promise<void> {
    const before = clock();
    await sleep(ms, signal);
    if (Math.abs(clock() - before - ms) > CLOCK_STEP_MS) isClockSure = false;
  }

  function failWith(message: string, act?: PaidAct): MirrorState {
    reports.failing(message, now());
    return failed(state, act, { budget: plan.budget, chance: chance(), now: now() });
  }

  /** Asks for the upstream's time, so that a unit counts for the right day, and that none is spent on an upstream that is away. */
  async function setClock(): Promise<boolean> {
    const time = await upstream.time(signal);
    if (signal.aborted) return false;
    if (typeof time === "string") {
      state = failWith(time);
      return false;
    }
    const ahead = time - clock();
    if (Math.abs(ahead) > MAX_CLOCK_ERROR_MS) {
      state = failWith(`The upstream's clock and this machine's are ${Math.round(Math.abs(ahead) / HOUR_MS)} hours apart: check both`);
      return false;
    }
    aheadMs = ahead;
    isClockSure = true;
    return true;
  }

  /** Records what an answer says about the quota. The mirror never plans with more units than the plan of its key has. */
  function hear(quota: QuotaTold | undefined, isPaid: boolean): void {
    state = heard(state, { isPaid, quota }, now());
    const limit = quota && planLimit(quota);
    if (limit === undefined) return;
    if (limit < unitsADay) reports.smallerPlan(limit, unitsADay);
    plan = { ...plan, budget: budgetOf(Math.min(unitsADay, limit)) };
  }

  async function checkAccess(): Promise<void> {
    const answer = await upstream.ask("/api/v1/access", signal);
    if (signal.aborted) return;
    if (answer.kind === "refused") return stop(answer.message);
    if ("quota" in answer) hear(answer.quota, false);
    if (answer.kind === "rest") return save(answer.retryAfterMs === undefined ? failWith("The upstream answers 429 for the access") : rested(state, answer.retryAfterMs, now()));
    const required = answer.kind === "body" ? membersOf(answer.body)["attributionRequired"] : undefined;
    // Passed on before it is recorded, so that a crash in between passes it on again.
    if (required === true && state.attributionRequired !== true) await onAttributionRequired?.();
    // An upstream that answers everything but this is mirrored nevertheless.
    await save(checked(state, typeof required === "boolean" ? required : state.attributionRequired, now()));
  }

  async function pay(act: PaidAct): Promise<void> {
    await save(begun(state, act, now()));
    const answer = await upstream.ask(act.kind === "refresh" ? ALL_VALUES : historyPath(act), signal);
    const isPaid = answer.kind !== "failed" || answer.isAnswered;
    hear("quota" in answer ? answer.quota : undefined, isPaid);
    if (signal.aborted) return save(state);
    switch (answer.kind) {
      case "refused":
        return stop(answer.message);
      case "rest":
        state = rested(state, answer.retryAfterMs, now());
        return save(state);
      case "failed":
        return save(failWith(answer.reason, act));
      default: {
        const taken = await take(state, act, { body: answer.kind === "body" ? answer.body : [], budget: plan.budget }, now());
        if (typeof taken === "string") return save(failWith(taken, act));
        reports.works();
        return save(taken);
      }
    }
  }

  async function stop(message: string): Promise<void> {
    isStopped = true;
    reports.stopped(message, now());
    await save(state);
  }

  function moment(): MirrorMoment {
    const time = now();
    return { state, plan, next: nextAct(state, plan, time), now: time };
  }

  /** Does one act, or waits for the next one. */
  async function step(): Promise<void> {
    if (isStopped) return pause(MAX_SLEEP_MS);
    if (!canStore()) return pause(STORE_PAUSE_MS);
    // A clock that is set back during a request shows by the last unit: it was spent later.
    if (now() < state.ledger.takenAt) isClockSure = false;
    const present = moment();
    const planned = present.next;
    reports.rests(restOf(present));
    if (planned.kind === "wait" && isClockSure) return waitFor(planned);
    if (!(await setClock())) return planned.kind === "wait" ? pause(STORE_PAUSE_MS) : undefined;
    const act = moment().next;
    if (act.kind === "wait") return waitFor(act);
    return act.kind === "check" ? checkAccess() : pay(act);
  }

  function waitFor({ until }: Extract<MirrorAct, { kind: "wait" }>): Promise<void> {
    return pause(Math.min(MAX_SLEEP_MS, Math.max(1, until - now())));
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await step();
      } catch (error) {
        // Usually the disk is full. Either nothing was asked for yet, or the answer is lost and its unit is spent.
        reports.fault(error);
        await sleep(FAULT_PAUSE_MS, signal);
      }
    }
  }

  const running = run();
  return {
    status: () => mirrorStatus(moment(), { upstream: baseUrl, provider, allowed: unitsADay, stopped: isStopped, ...reports.figures() }),
    async close() {
      ending.abort();
      await running;
    },
  };
}
