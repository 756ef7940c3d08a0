import type { AssetCode, UtcMillis } from "../brand.ts";
import type { CodeArchive, DayRange } from "./archive.ts";
import type { Ledger, ToldUnits } from "./ledger.ts";
import type { MirrorState, PendingValue } from "./state.ts";

/** The state as a JSON value. */
export function writeMirrorState({ archive, ...rest }: MirrorState): object {
  return { schema: 1, ...rest, archive: [...archive].map(([code, known]) => ({ code, ...known })) };
}

/**
 * Parses what `writeMirrorState` has made.
 *
 * @throws TypeError for anything else, with the name of the member that is wrong.
 */
export function parseMirrorState(value: unknown): MirrorState {
  const { schema, ledger, triedAt, refreshedAt, gapUntil, historyAt, failures, retryAt, checkedOn, attributionRequired, archive, pending } = membersOf(value, "state");
  if (schema !== 1) throw wrong("schema", schema);
  return {
    ledger: readLedger(ledger),
    triedAt: orNull(triedAt, "triedAt", time),
    refreshedAt: orNull(refreshedAt, "refreshedAt", time),
    gapUntil: time(gapUntil, "gapUntil"),
    historyAt: orNull(historyAt, "historyAt", time),
    failures: count(failures, "failures"),
    retryAt: orNull(retryAt, "retryAt", time),
    checkedOn: orNull(checkedOn, "checkedOn", whole),
    attributionRequired: orNull(attributionRequired, "attributionRequired", truth),
    archive: new Map(listOf(archive, "archive").map(readArchive)),
    pending: listOf(pending, "pending").map(readPending),
  };
}

function readLedger(value: unknown): Ledger {
  const { day, used, takenAt, unanswered, told, restUntil } = membersOf(value, "ledger");
  return {
    day: whole(day, "day"),
    used: count(used, "used"),
    takenAt: time(takenAt, "takenAt"),
    unanswered: count(unanswered, "unanswered"),
    told: orNull(told, "told", readTold),
    restUntil: orNull(restUntil, "restUntil", time),
  };
}

function readTold(value: unknown): ToldUnits {
  const { remaining, until } = membersOf(value, "told");
  return { remaining: count(remaining, "remaining"), until: time(until, "until") };
}

function readArchive(value: unknown): readonly [AssetCode, CodeArchive] {
  const { code, filled, askedAt, emptyRun, oldest, failures, notBefore, again } = membersOf(value, "archive");
  const known = {
    filled: listOf(filled, "filled").map(readRange),
    askedAt: orNull(askedAt, "askedAt", time),
    emptyRun: count(emptyRun, "emptyRun"),
    oldest: orNull(oldest, "oldest", time),
    failures: count(failures, "failures"),
    notBefore: orNull(notBefore, "notBefore", time),
    again: listOf(again, "again").map((range) => ({ ...readRange(range), at: time(membersOf(range, "again")["at"], "at") })),
  };
  return [codeOf(code), known];
}

function readRange(value: unknown): DayRange {
  const { from, to } = membersOf(value, "range");
  return { from: whole(from, "from"), to: whole(to, "to") };
}

function readPending(entry: unknown): PendingValue {
  const { code, value, businessTime } = membersOf(entry, "pending");
  if (typeof value !== "number" || !(value > 0)) throw wrong("value", value);
  return { code: codeOf(code), value, businessTime: time(businessTime, "businessTime") };
}

function membersOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) throw wrong(name, value);
  return value as Readonly<Record<string, unknown>>; // Each member is checked by its reader.
}

function listOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw wrong(name, value);
  return value;
}

function orNull<Value>(value: unknown, name: string, read: (value: unknown, name: string) => Value): Value | null {
  return value === null ? null : read(value, name);
}

function whole(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value)) throw wrong(name, value);
  return value as number; // A safe integer is a number.
}

function count(value: unknown, name: string): number {
  const found = whole(value, name);
  if (found < 0) throw wrong(name, value);
  return found;
}

function time(value: unknown, name: string): UtcMillis {
  return whole(value, name) as UtcMillis;
}

function truth(value: unknown, name: string): boolean {
  if (typeof value !== "boolean") throw wrong(name, value);
  return value;
}

function codeOf(value: unknown): AssetCode {
  if (typeof value !== "string") throw wrong("code", value);
  return value as AssetCode; // A code that the catalog does not have is never asked for.
}

function wrong(name: string, value: unknown): TypeError {
  return new TypeError(`Cannot read the state of the mirror as its ${name} is wrong: received "${String(value).slice(0, 64)}"`);
}
