import {
  addOutcomes,
  type Import,
  type ImportAccess,
  type ImportOutcome,
  NOTHING_DONE,
  type Selection,
  type StoredRecord,
  sizeOfChange,
  storedBy,
} from "../../adapters/stores/shared/imports.ts";
import { EMBEDDER, isPending, isSameRecord } from "../../core/internal.ts";
import type { Observation, ObservationKey, ObservationWriter, UtcClock } from "../../core/mod.ts";

/** How prices can be changed, in the stores and in this model. */
export interface PriceChanges {
  readonly observations: Pick<ObservationWriter, "append">;
  readonly imports: Pick<ImportAccess, "begin" | "append" | "finish" | "decide" | "undo">;
}

/** What an undo needs for an asset and time: the last record that the import did not store. */
interface Trace {
  readonly before: StoredRecord;
  /** Whether the import has removed the record instead of replacing it. */
  readonly isTaken: boolean;
}

/**
 * A simple implementation of the rules for decided and pending records and for imports. It handles one observation at a
 * time, and keeps everything that an undo needs in a map. A batch has at most one observation for a time.
 */
export function createPriceModel(clock: UtcClock): PriceChanges & {
  records(): readonly StoredRecord[];
  list(): readonly Import[];
  /** Begins an undo; from then on, nothing can be added to the import. */
  startUndo(id: number): void;
  /** The records that undos will restore, in any order. */
  traces(): Iterable<unknown>;
  /** The number of earlier records that an undo of the import would restore. */
  countReplaced(id: number): number;
} {
  const cells = new Map<string, StoredRecord>();
  const imports: Import[] = [];
  /** By import and cell. */
  const traces = new Map<string, Trace>();

  function put(cell: string, record: StoredRecord | undefined, by: number | null): void {
    const before = cells.get(cell);
    const name = `${by} ${cell}`;
    const trace = traces.get(name);
    if (by !== null && before && before.import !== by) traces.set(name, { before, isTaken: !record });
    else if (trace && before && !record) traces.set(name, { ...trace, isTaken: true });
    // If the import itself has removed the record, the trace stays, because an undo restores the earlier record.
    else if (!before && record && !trace?.isTaken) traces.delete(name);
    if (record) cells.set(cell, record);
    else cells.delete(cell);
  }

  function store(one: StoredRecord, keepExisting: boolean): Partial<ImportOutcome> {
    const { code, businessTime, value, import: id } = one;
    const stands = cells.get(keyOf(one));
    if (isPending(one) && stands?.qualityStatus === "ACCEPTED" && stands.value === value) return { unchanged: 1 };
    if (isPending(one) && keepExisting && stands && stands.value !== value) return { kept: 1 };
    const cell = cellOf(one);
    const before = cells.get(cell);
    const isSame = before !== undefined && isSameRecord(before, one);
    if (before && keepExisting && !isSame) return { kept: 1 };
    if (!isSame) put(cell, one, id);
    if (!isPending(one)) put(pendingCellOf(one), undefined, id);
    if (isSame) return { unchanged: 1 };
    if (!before) return { accepted: 1 };
    const change = { code, businessTime, from: before.value, to: value };
    const largest = !isPending(one) && sizeOfChange(change) > 0 ? change : null;
    return { replaced: 1, largest, repeated: id !== null && before.import === id ? 1 : 0 };
  }

  function storeAll(
    batch: readonly Observation[],
    from: Pick<StoredRecord, "source" | "import">,
    keepExisting = false,
  ): ImportOutcome {
    return batch.reduce(
      (sum, one) => addOutcomes(sum, { ...NOTHING_DONE, ...store({ ...one, ...from }, keepExisting) }),
      NOTHING_DONE,
    );
  }

  function demand(id: number): Import {
    const found = imports[id - 1];
    if (!found) throw new RangeError(`There is no import ${id}`);
    return found;
  }

  function demandOpen(id: number): Import {
    const { undone, summary } = demand(id);
    if (summary || undone)
      throw new RangeError(`Cannot add to import ${id} because it is ${undone ? "undone" : "finished"}`);
    return demand(id);
  }

  function startUndo(id: number): void {
    imports[id - 1] = { ...demand(id), undone: demand(id).undone ?? { time: clock(), restored: 0, removed: 0 } };
  }

  function matching({ code, from, to, provider, pending }: Selection): readonly StoredRecord[] {
    return [...cells.values()].filter(
      (one) =>
        one.code === code &&
        one.businessTime >= from &&
        one.businessTime < to &&
        (provider === null || one.provider === provider) &&
        (isPending(one) || (!pending && one.qualityStatus === "ACCEPTED")),
    );
  }

  return {
    records: () => [...cells.values()],
    startUndo,
    traces: () => traces,
    countReplaced: (id) => [...traces].filter(([name, one]) => name.startsWith(`${id} `) && !one.isTaken).length,
    list: () => imports,
    observations: {
      append(batch, source = EMBEDDER) {
        const { accepted, replaced, unchanged } = storeAll(batch, { source, import: null });
        return { accepted, replaced, unchanged };
      },
    },
    imports: {
      async begin(plan) {
        return imports[
          imports.push({ id: imports.length + 1, time: clock(), ...plan, summary: null, undone: null }) - 1
        ]!;
      },
      async append(id, batch, keepExisting) {
        const { time, source } = demandOpen(id);
        const stamped = batch.map((one) => ({ ...one, insertTime: time }));
        return storeAll(stamped, { source, import: id }, keepExisting);
      },
      async finish(id, summary) {
        const found = demand(id);
        return (imports[id - 1] = { ...found, summary: found.summary ?? summary });
      },
      async decide(id, selection, decision) {
        const { time } = demandOpen(id);
        // Records that already have this decision are skipped.
        const left = matching(selection).filter(
          (one) => one.import !== id || one.qualityStatus !== decision.qualityStatus,
        );
        const found = left.toSorted(
          (a, b) =>
            Number(isPending(a)) - Number(isPending(b)) ||
            a.insertTime - b.insertTime ||
            (a.source < b.source ? -1 : 1),
        );
        const seen = new Set<string>();
        let repeated = 0;
        for (const one of found) {
          if (seen.has(keyOf(one)) || cells.get(keyOf(one))?.import === id || one.import === id) repeated++;
          seen.add(keyOf(one));
          if (isPending(one)) put(cellOf(one), undefined, id);
          const stands = cells.get(keyOf(one));
          const isOther = stands && (stands.qualityStatus !== "ACCEPTED" || stands.value !== one.value);
          if (isPending(one) && decision.qualityStatus === "REJECTED" && isOther) continue;
          put(keyOf(one), { ...one, ...decision, insertTime: time, import: id }, id);
        }
        return { outcome: { ...NOTHING_DONE, replaced: found.length, repeated }, more: false };
      },
      async undo(id) {
        startUndo(id);
        const found = demand(id);
        const [back, gone] = [new Set<string>(), new Set<string>()];
        for (const cell of new Set([...cells.keys(), ...[...traces.keys()].map((name) => name.replace(/^\d+ /, ""))])) {
          const name = `${id} ${cell}`;
          const { before, isTaken } = traces.get(name) ?? {};
          const now = cells.get(cell);
          if (now ? now.import !== id : !isTaken) continue;
          (before ? back : gone).add(cell.split(" ", 2).join(" "));
          if (before) cells.set(cell, before);
          else cells.delete(cell);
          // A pending record is restored only once.
          if (before && isPending(before)) traces.delete(name);
        }
        const [restored, removed] = [back.size, [...gone].filter((key) => !back.has(key)).length];
        const sum = found.undone!;
        const undone = {
          time: restored + removed > 0 ? clock() : sum.time,
          restored: sum.restored + restored,
          removed: sum.removed + removed,
        };
        const imported = (imports[id - 1] = { ...found, undone });
        const replacedSince = found.summary && Math.max(0, storedBy(found.summary) - undone.restored - undone.removed);
        return { pending: false, imported, restored, removed, replacedSince, unknown: 0 };
      },
    },
  };
}

function keyOf({ code, businessTime }: ObservationKey): string {
  return `${code} ${businessTime}`;
}

function pendingCellOf(one: StoredRecord): string {
  return `${keyOf(one)} ${one.source}`;
}

function cellOf(one: StoredRecord): string {
  return isPending(one) ? pendingCellOf(one) : keyOf(one);
}
