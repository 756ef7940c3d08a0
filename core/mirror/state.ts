import type { AssetCode, UtcMillis } from "../brand.ts";
import { EMPTY_ARCHIVE, withAnswer, withFailure } from "./archive.ts";
import type { CodeArchive, Found, Wanted } from "./archive.ts";
import { gapAfterMs } from "./budget.ts";
import type { Budget } from "./budget.ts";
import { NEW_LEDGER, answered, correctBy, ledgerDay, restAfter, takeUnit } from "./ledger.ts";
import type { Ledger, QuotaTold } from "./ledger.ts";
import { MINUTE_MS } from "../time/durations.ts";

/** What a mirror must not forget. All times are of the upstream's clock. */
export interface MirrorState {
  readonly ledger: Ledger;
  /** When the latest values were last asked for; `null` for never. */
  readonly triedAt: UtcMillis | null;
  /** When they were asked for and an answer came. */
  readonly refreshedAt: UtcMillis | null;
  /** When the last time without refreshes ended: the history before it has to be asked for. */
  readonly gapUntil: UtcMillis;
  /** When history was last asked for. */
  readonly historyAt: UtcMillis | null;
  /** Requests in a row that have failed, and until when there is no other. */
  readonly failures: number;
  readonly retryAt: UtcMillis | null;
  /** The day on which the access to the upstream was last checked. */
  readonly checkedOn: number | null;
  /** What the upstream says of attribution; `null` while that is not known. */
  readonly attributionRequired: boolean | null;
  /** The history of each asset that the upstream has; also of one whose history is not wanted, as a later start may want it. */
  readonly archive: ReadonlyMap<AssetCode, CodeArchive>;
  /** Values that look wrong and that no second answer has confirmed, the oldest first. */
  readonly pending: readonly PendingValue[];
}

/** A value that was stored as `PENDING`. */
export interface PendingValue {
  readonly code: AssetCode;
  readonly value: number;
  readonly businessTime: UtcMillis;
}

/** The state of a mirror that has never run. */
export const NEW_MIRROR: MirrorState = {
  ledger: NEW_LEDGER,
  triedAt: null,
  refreshedAt: null,
  gapUntil: 0 as UtcMillis,
  historyAt: null,
  failures: 0,
  retryAt: null,
  checkedOn: null,
  attributionRequired: null,
  archive: new Map(),
  pending: [],
};

/** A request that costs a unit. */
export type PaidAct = { readonly kind: "refresh" } | ({ readonly kind: "history" } & Wanted);

const FIRST_RETRY_MS = MINUTE_MS;
const FIRST_FREE_RETRY_MS = 15_000;
const MAX_FREE_RETRY_MS = 5 * MINUTE_MS;

/** Takes the unit of a request: to be saved before the request is made. */
export function begun(state: MirrorState, { kind }: PaidAct, now: UtcMillis): MirrorState {
  return { ...state, ledger: takeUnit(state.ledger, now), ...(kind === "refresh" ? { triedAt: now } : { historyAt: now }) };
}

/** Notes an answer and what its header fields tell of the quota. */
export function heard(state: MirrorState, { isPaid, quota }: { readonly isPaid: boolean; readonly quota: QuotaTold | undefined }, now: UtcMillis): MirrorState {
  const ledger = isPaid ? answered(state.ledger) : state.ledger;
  return { ...state, ledger: quota ? correctBy(ledger, quota, now) : ledger };
}

/** Notes a refresh that was stored. `codes` are those of the answer. */
export function refreshed(state: MirrorState, codes: readonly AssetCode[], { budget, now }: { readonly budget: Budget; readonly now: UtcMillis }): MirrorState {
  const { archive, refreshedAt, triedAt, gapUntil } = state;
  const isAfterGap = refreshedAt === null || now - refreshedAt > gapAfterMs(budget) || refreshedAt > now;
  const added = codes.filter((code) => !archive.has(code)).map((code) => [code, EMPTY_ARCHIVE] as const);
  return {
    ...state,
    ...NO_FAILURES,
    refreshedAt: triedAt,
    gapUntil: isAfterGap ? now : gapUntil,
    archive: added.length > 0 ? new Map([...archive, ...added]) : archive,
  };
}

/** Notes history that was stored. */
export function filled(state: MirrorState, wanted: Wanted, found: Found): MirrorState {
  return { ...state, ...NO_FAILURES, archive: withArchive(state, wanted.code, (known) => withAnswer(known, wanted, found)) };
}

/** Notes a check of the access, which is free; `null` where it did not tell about attribution. */
export function checked(state: MirrorState, attributionRequired: boolean | null, now: UtcMillis): MirrorState {
  return { ...state, ...NO_FAILURES, checkedOn: ledgerDay(state.ledger, now), attributionRequired };
}

/**
 * Notes a request that has failed. The next one waits twice as long as the last, up to a refresh's interval; one that
 * was free waits at most five minutes, so that an upstream that is back is found soon.
 *
 * @param act `undefined` for a request that was free.
 * @param chance From 0 to 1, for a wait from a half up to all of that time, so that not all mirrors of an upstream come back at once.
 */
export function failed(
  state: MirrorState,
  act: PaidAct | undefined,
  { budget, chance, now }: { readonly budget: Budget; readonly chance: number; readonly now: UtcMillis },
): MirrorState {
  const failures = state.failures + 1;
  const longest = act ? budget.intervalMs : Math.min(MAX_FREE_RETRY_MS, budget.intervalMs);
  const wait = Math.min((act ? FIRST_RETRY_MS : FIRST_FREE_RETRY_MS) * 2 ** Math.min(failures - 1, 20), longest);
  const archive = act?.kind === "history" ? withArchive(state, act.code, (known) => withFailure(known, now)) : state.archive;
  return { ...state, archive, failures, retryAt: (now + Math.ceil(wait * (0.5 + chance / 2))) as UtcMillis };
}

/** Notes an answer with 429. */
export function rested(state: MirrorState, retryAfterMs: number | undefined, now: UtcMillis): MirrorState {
  return { ...state, ledger: restAfter(state.ledger, retryAfterMs, now) };
}

const NO_FAILURES = { failures: 0, retryAt: null } as const;

function withArchive({ archive }: MirrorState, code: AssetCode, change: (known: CodeArchive) => CodeArchive): ReadonlyMap<AssetCode, CodeArchive> {
  return new Map(archive).set(code, change(archive.get(code) ?? EMPTY_ARCHIVE));
}
