import type { AccountChange, KeyEntry, MaybePromise, Observation, ObservationWriter } from "../../../core/mod.ts";
import { type Import, type ImportAccess, type ImportSummary, storedBy } from "./imports.ts";
import type { ChangedBy, StoreChange, StoredAccounts } from "./store.ts";

interface Changing extends Pick<ObservationWriter, "append">, Pick<StoredAccounts, "update"> {
  readonly imports: ImportAccess;
}

/** Wraps the access to a store: each call that changes something also calls `report` before it resolves. */
export function reportingChanges<Access extends Changing>(
  access: Access,
  by: ChangedBy,
  report: (change: StoreChange) => MaybePromise<void>,
) {
  const { append, update, imports } = access;
  const reportChange = (change: Omit<StoreChange, keyof ChangedBy>): MaybePromise<void> => report({ ...change, ...by });
  return {
    ...access,
    async append(batch: readonly Observation[], source?: string) {
      const outcome = await append(batch, source);
      const records = outcome.accepted + outcome.replaced;
      if (records > 0) await reportChange({ what: "stored prices", records });
      return outcome;
    },
    async update(changes: readonly AccountChange[]) {
      const book = await update(changes);
      for (const change of changes) await reportChange({ what: inWords(change) });
      return book;
    },
    imports: {
      ...imports,
      async finish(id: number, summary: ImportSummary, begun?: Import["time"]) {
        const imported = await imports.finish(id, summary, begun);
        await reportChange({ what: subjectOf(imported), import: id, records: storedBy(summary) });
        return imported;
      },
      async undo(id: number) {
        const outcome = await imports.undo(id);
        if (!outcome.pending)
          await reportChange({
            what: `undid ${subjectOf(outcome.imported)}`,
            import: id,
            records: outcome.restored + outcome.removed,
          });
        return outcome;
      },
    },
  };
}

function subjectOf({ type, id, subjects }: Import): string {
  return `${type} ${id}${subjects.length === 0 ? "" : ` of ${subjects.join(", ")}`}`;
}

function inWords(change: AccountChange): string {
  switch (change.op) {
    case "plan.patch":
      return `changed plan ${change.name}`;
    case "account.patch":
      return `changed account ${change.id}`;
    case "key.create":
      return `made key ${change.entry.id} of account ${change.entry.accountId}${scopeOf(change.entry)}`;
    case "key.expire":
      return `set the expiry of key ${change.id}`;
    case "key.revoke":
      return `revoked key ${change.id}`;
  }
}

function scopeOf({ may, codes }: KeyEntry): string {
  return may === undefined ? "" : `, which may ${may}${codes ? ` ${codes.join(", ")}` : ""}`;
}
