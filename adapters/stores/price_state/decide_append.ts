import { CONFIRM, isPending, isSameRecord, keyOf } from "../../../core/internal.ts";
import type { Observation } from "../../../core/mod.ts";
import {
  type ImportOutcome,
  MAX_PENDING,
  type StoredRecord,
  sizeOfChange,
  type ValueChange,
} from "../shared/imports.ts";
import type { Decided } from "./draft.ts";
import { type Entry, type Origin, recordEntries, removalEntries } from "./entries.ts";
import type { PriceView } from "./price_state.ts";

/** What a batch makes of one decided record, or of the pending one of its source. */
interface Cell {
  /** What stands there before the batch. */
  readonly before: StoredRecord | undefined;
  /** What stands there after what was looked at so far. */
  now: Observation | undefined;
  /** Whether the import itself has stored what stands there. */
  isOwn: boolean;
  /** Whether a decided observation of the batch has taken what was pending here away. */
  isTaken: boolean;
  /** What becomes of the observations of the batch, if something else stands there after it. */
  accepted: number;
  replaced: number;
  repeated: number;
  largest: ValueChange | null;
}

/** How a batch is stored. */
export interface AppendOptions {
  readonly origin: Origin;
  /** Whether a record that is there stays. Default: false. */
  readonly keepExisting?: boolean;
}

/** Decides what is to be stored of a batch. */
export function decideAppend(
  view: PriceView,
  batch: readonly Observation[],
  options: AppendOptions,
): Decided<ImportOutcome> {
  const looked = new Batch(view, options);
  for (const one of batch) looked.add(one);
  return { entries: looked.entries(), result: looked.outcome() };
}

/** A batch that is looked at, one observation after the other. */
class Batch {
  readonly #view: PriceView;
  readonly #origin: Origin;
  readonly #isImport: boolean;
  readonly #keepExisting: boolean;
  readonly #hasPending: boolean;
  readonly #decided = new Map<string, Cell>();
  readonly #pending = new Map<string, Cell>();
  #room: number;
  #unchanged = 0;
  #kept = 0;

  constructor(view: PriceView, { origin, keepExisting = false }: AppendOptions) {
    this.#view = view;
    this.#origin = origin;
    this.#isImport = origin.import !== null;
    this.#keepExisting = keepExisting;
    this.#room = MAX_PENDING - view.countPending(origin.source);
    this.#hasPending = this.#room < MAX_PENDING;
  }

  add(one: Observation): void {
    const isWaiting = isPending(one);
    const cell = isWaiting ? this.#pendingCell(one) : this.#decidedCell(one);
    if (isWaiting && this.#isLeft(one, cell)) return;
    const isSame = cell.now !== undefined && isSameRecord(cell.now, one);
    if (this.#keepExisting && cell.now && !isSame) {
      this.#kept++;
      return;
    }
    // In an import, each is compared with the one before it; elsewhere a batch is one act.
    if (this.#isImport && isSame) this.#unchanged++;
    else {
      if (isWaiting && !cell.now) this.#room--;
      count(one, cell);
      cell.now = one;
      cell.isOwn = this.#isImport;
    }
    if (!isWaiting && (this.#hasPending || this.#pending.size > 0)) this.#take(this.#pendingCell(one));
  }

  /** What becomes of all that was added. */
  outcome(): ImportOutcome {
    let [accepted, replaced, repeated, unchanged] = [0, 0, 0, this.#unchanged];
    let largest: ValueChange | null = null;
    for (const cells of [this.#decided, this.#pending]) {
      for (const cell of cells.values()) {
        const { before, now } = cell;
        // Where it is as before, nothing has become of any.
        if (!this.#isImport && before && now && isSameRecord(before, now)) unchanged += cell.accepted + cell.replaced;
        else {
          accepted += cell.accepted;
          replaced += cell.replaced;
          repeated += cell.repeated;
          largest = largerChange(largest, cell.largest);
        }
      }
    }
    return { accepted, replaced, unchanged, kept: this.#kept, repeated, largest };
  }

  /** What is to be stored. */
  entries(): readonly Entry[] {
    const entries: Entry[] = recordEntries("observations", this.#origin, this.#changedIn(this.#decided));
    if (this.#pending.size === 0) return entries;
    const taken = [...this.#pending].flatMap(([key, { before, isTaken }]) =>
      before && isTaken && !this.#isChanged(this.#decided.get(key)!) ? [before] : [],
    );
    return [
      ...entries,
      ...removalEntries(taken, this.#origin),
      ...recordEntries("pending", this.#origin, this.#changedIn(this.#pending)),
    ];
  }

  #decidedCell(one: Observation): Cell {
    const key = keyOf(one);
    return this.#decided.get(key) ?? this.#newCell(this.#decided, key, this.#view.find(one.code, one.businessTime));
  }

  #pendingCell(one: Observation): Cell {
    const key = keyOf(one);
    const known = this.#pending.get(key);
    if (known) return known;
    const before = this.#view.findPending(one.code, one.businessTime, this.#origin.source);
    return this.#newCell(this.#pending, key, before);
  }

  #newCell(cells: Map<string, Cell>, key: string, before: StoredRecord | undefined): Cell {
    const isOwn = this.#isImport && before?.import === this.#origin.import;
    const cell = { before, now: before, isOwn, isTaken: false, accepted: 0, replaced: 0, repeated: 0, largest: null };
    cells.set(key, cell);
    return cell;
  }

  /** Whether a pending observation is not stored. Counts it then. */
  #isLeft(one: Observation, cell: Cell): boolean {
    const stands = this.#decidedCell(one).now;
    const isAccepted = stands?.qualityStatus === "ACCEPTED" && stands.value === one.value;
    if (isAccepted && !one.qualityMessage.startsWith(CONFIRM)) this.#unchanged++;
    else if ((this.#keepExisting && stands && stands.value !== one.value) || (!cell.now && this.#room === 0))
      this.#kept++;
    else return false;
    return true;
  }

  /** Decided observations take what is pending of their source away. */
  #take(cell: Cell): void {
    if (cell.now) this.#room++;
    cell.now = undefined;
    cell.isOwn = false;
    cell.isTaken = true;
  }

  /** Whether something else stands there after the batch. */
  #isChanged({ before, now, isTaken }: Cell): boolean {
    if (!now || now === before) return false;
    return this.#isImport || !before || isTaken || !isSameRecord(before, now);
  }

  #changedIn(cells: ReadonlyMap<string, Cell>): Observation[] {
    const changed: Observation[] = [];
    for (const cell of cells.values()) if (this.#isChanged(cell)) changed.push(cell.now!);
    return changed;
  }
}

/** Counts an observation that is stored in a cell. */
function count(one: Observation, cell: Cell): void {
  const { now, isOwn } = cell;
  if (!now) {
    cell.accepted++;
    return;
  }
  cell.replaced++;
  if (isOwn) cell.repeated++;
  const { code, businessTime, value: to } = one;
  if (!isPending(one) && to !== now.value)
    cell.largest = largerChange(cell.largest, { code, businessTime, from: now.value, to });
}

function largerChange(a: ValueChange | null, b: ValueChange | null): ValueChange | null {
  return b && (!a || sizeOfChange(b) > sizeOfChange(a)) ? b : a;
}
