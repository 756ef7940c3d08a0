import { CONFIRM, isPending, isSameRecord, keyOf } from "../../../core/internal.ts";
import type { Observation } from "../../../core/mod.ts";
import { type ImportOutcome, largerChange, MAX_PENDING, NOTHING_DONE, type StoredRecord } from "../shared/imports.ts";
import type { Decided } from "./draft.ts";
import { type Entry, type Origin, recordEntries, removalEntries } from "./entries.ts";
import type { PriceView } from "./price_state.ts";

/** The effect of a batch on one decided record, or on a pending record. */
interface Cell {
  readonly before: StoredRecord | undefined;
  /** The record as it is after the observations of the batch that were processed so far. */
  now: Observation | undefined;
  /** Whether a decided observation of the batch has taken the pending record away. */
  isTaken: boolean;
  /** How many observations of the batch have replaced the record. */
  replaced: number;
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
  const done: { -readonly [Name in keyof ImportOutcome]: ImportOutcome[Name] } = { ...NOTHING_DONE };

  /** The decided record at the time of an observation, or the pending record of the source there. */
  function cellIn(cells: Map<string, Cell>, one: Observation): Cell {
    const key = keyOf(one);
    const known = cells.get(key);
    if (known) return known;
    const before = view.find(one.code, one.businessTime, cells === decided ? null : origin.source);
    const cell = { before, now: before, isTaken: false, replaced: 0 };
    cells.set(key, cell);
    return cell;
  }

  /** Whether a pending observation is left out. If so, counts the observation. */
  function isLeft(one: Observation, cell: Cell): boolean {
    const held = cellIn(decided, one).now;
    const isAccepted = held?.qualityStatus === "ACCEPTED" && held.value === one.value;
    if (isAccepted && !one.qualityMessage.startsWith(CONFIRM)) done.unchanged++;
    else if ((keepExisting && held && held.value !== one.value) || (!cell.now && room === 0)) done.kept++;
    else return false;
    return true;
  }

  function put(one: Observation, cell: Cell): void {
    const { before, now } = cell;
    cell.now = one;
    if (!now) {
      done.accepted++;
      if (isPending(one)) room--;
      return;
    }
    done.replaced++;
    cell.replaced++;
    if (isImport && (now !== before || before.import === origin.import)) done.repeated++;
    const { code, businessTime, value: to } = one;
    if (!isPending(one) && to !== now.value)
      done.largest = largerChange(done.largest, { code, businessTime, from: now.value, to });
  }

  /** Takes away the pending record of the source, because the source has now sent a decided record. */
  function take(cell: Cell): void {
    if (cell.now) room++;
    cell.now = undefined;
    cell.isTaken = true;
  }

  function add(one: Observation): void {
    const isWaiting = isPending(one);
    const cell = cellIn(isWaiting ? pending : decided, one);
    if (isWaiting && isLeft(one, cell)) return;
    const isSame = cell.now !== undefined && isSameRecord(cell.now, one);
    if (keepExisting && cell.now && !isSame) {
      done.kept++;
      return;
    }
    // In an import, each observation counts by itself. In any other batch, `settled` counts those without an effect.
    if (isImport && isSame) done.unchanged++;
    else put(one, cell);
    if (!isWaiting && (hasPending || pending.size > 0)) take(cellIn(pending, one));
  }

  /** Whether the batch changes the record. */
  function isChanged({ before, now, isTaken }: Cell): boolean {
    if (!now || now === before) return false;
    return isImport || !before || isTaken || !isSameRecord(before, now);
  }

  /** The records to store. Counts observations that had no effect as unchanged instead of replaced. */
  function settled(cells: ReadonlyMap<string, Cell>): Observation[] {
    const changed: Observation[] = [];
    for (const cell of cells.values()) {
      if (isChanged(cell)) changed.push(cell.now!);
      else if (!cell.isTaken) {
        done.replaced -= cell.replaced;
        done.unchanged += cell.replaced;
      }
    }
    return changed;
  }

  function entries(): readonly Entry[] {
    const stored = recordEntries("observations", origin, settled(decided));
    if (pending.size === 0) return stored;
    const taken = [...pending].flatMap(([key, { before, isTaken }]) =>
      before && isTaken && !isChanged(decided.get(key)!) ? [before] : [],
    );
    return [...stored, ...removalEntries(taken, origin.import), ...recordEntries("pending", origin, settled(pending))];
  }

  for (const one of batch) add(one);
  const changes = entries(); // completes the counts
  return { entries: changes, result: done };
}
