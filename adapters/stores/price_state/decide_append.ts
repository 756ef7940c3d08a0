import { CONFIRM, isPending, isSameRecord, keyOf } from "../../../core/internal.ts";
import type { Observation } from "../../../core/mod.ts";
import {
  addOutcomes,
  type ImportOutcome,
  largerChange,
  MAX_PENDING,
  NOTHING_DONE,
  type StoredRecord,
} from "../shared/imports.ts";
import type { Decided } from "./draft.ts";
import { type Entry, type Origin, recordEntries, removalEntries } from "./entries.ts";
import type { PriceView } from "./price_state.ts";

/** The effect of a batch on one decided record, or on a pending record. */
interface Cell {
  readonly before: StoredRecord | undefined;
  /** The record as it is after the observations of the batch that were processed so far. */
  now: Observation | undefined;
  /** Whether the import itself has stored the record. */
  isOwn: boolean;
  /** Whether a decided observation of the batch has taken the pending record away. */
  isTaken: boolean;
  /** Counts of the observations for this record. The counts apply only if the record changes. */
  readonly counts: { -readonly [Name in keyof ImportOutcome]: ImportOutcome[Name] };
}

/** Decides which observations of a batch to store. With `keepExisting`, no stored record is replaced. */
export function decideAppend(
  view: PriceView,
  batch: readonly Observation[],
  { origin, keepExisting = false }: { readonly origin: Origin; readonly keepExisting?: boolean },
): Decided<ImportOutcome> {
  const isImport = origin.import !== null;
  const decided = new Map<string, Cell>();
  const pending = new Map<string, Cell>();
  let room = MAX_PENDING - view.countPending(origin.source);
  const hasPending = room < MAX_PENDING;
  let unchanged = 0;
  let kept = 0;

  /** The decided record at the time of an observation, or the pending record of the source there. */
  function cellIn(cells: Map<string, Cell>, one: Observation): Cell {
    const key = keyOf(one);
    const known = cells.get(key);
    if (known) return known;
    const { code, businessTime: time } = one;
    const before = view.find(code, time, cells === decided ? null : origin.source);
    const isOwn = isImport && before?.import === origin.import;
    const cell = { before, now: before, isOwn, isTaken: false, counts: { ...NOTHING_DONE } };
    cells.set(key, cell);
    return cell;
  }

  /** Whether a pending observation is left out. If so, counts the observation. */
  function isLeft(one: Observation, cell: Cell): boolean {
    const held = cellIn(decided, one).now;
    const isAccepted = held?.qualityStatus === "ACCEPTED" && held.value === one.value;
    if (isAccepted && !one.qualityMessage.startsWith(CONFIRM)) unchanged++;
    else if ((keepExisting && held && held.value !== one.value) || (!cell.now && room === 0)) kept++;
    else return false;
    return true;
  }

  /** Takes away the pending record of the source, because the source has now sent a decided record. */
  function take(cell: Cell): void {
    if (cell.now) room++;
    cell.now = undefined;
    cell.isOwn = false;
    cell.isTaken = true;
  }

  function add(one: Observation): void {
    const isWaiting = isPending(one);
    const cell = cellIn(isWaiting ? pending : decided, one);
    if (isWaiting && isLeft(one, cell)) return;
    const isSame = cell.now !== undefined && isSameRecord(cell.now, one);
    if (keepExisting && cell.now && !isSame) {
      kept++;
      return;
    }
    // In an import, each observation counts by itself. In any other batch, all observations for a record count as one
    // change.
    if (isImport && isSame) unchanged++;
    else {
      if (isWaiting && !cell.now) room--;
      count(one, cell);
      cell.now = one;
      cell.isOwn = isImport;
    }
    if (!isWaiting && (hasPending || pending.size > 0)) take(cellIn(pending, one));
  }

  function outcome(): ImportOutcome {
    let sum: ImportOutcome = { ...NOTHING_DONE, kept };
    for (const { before, now, counts } of [...decided.values(), ...pending.values()]) {
      if (!isImport && before && now && isSameRecord(before, now)) unchanged += counts.accepted + counts.replaced;
      else sum = addOutcomes(sum, counts);
    }
    return { ...sum, unchanged };
  }

  /** Whether the batch changes the record. */
  function isChanged({ before, now, isTaken }: Cell): boolean {
    if (!now || now === before) return false;
    return isImport || !before || isTaken || !isSameRecord(before, now);
  }

  function changedIn(cells: ReadonlyMap<string, Cell>): Observation[] {
    const changed: Observation[] = [];
    for (const cell of cells.values()) if (isChanged(cell)) changed.push(cell.now!);
    return changed;
  }

  function entries(): readonly Entry[] {
    const stored = recordEntries("observations", origin, changedIn(decided));
    if (pending.size === 0) return stored;
    const taken = [...pending].flatMap(([key, { before, isTaken }]) =>
      before && isTaken && !isChanged(decided.get(key)!) ? [before] : [],
    );
    return [
      ...stored,
      ...removalEntries(taken, origin.import),
      ...recordEntries("pending", origin, changedIn(pending)),
    ];
  }

  for (const one of batch) add(one);
  return { entries: entries(), result: outcome() };
}

function count(one: Observation, cell: Cell): void {
  const { now, isOwn, counts } = cell;
  if (!now) {
    counts.accepted++;
    return;
  }
  counts.replaced++;
  if (isOwn) counts.repeated++;
  const { code, businessTime, value: to } = one;
  if (!isPending(one) && to !== now.value)
    counts.largest = largerChange(counts.largest, { code, businessTime, from: now.value, to });
}
