import { nodeSystem } from "../../adapters/http/node/mod.ts";
import type { ImportAccess } from "../../adapters/stores/shared/imports.ts";
import type { StoreContent } from "../../adapters/stores/shared/store_copying.ts";
import type { AccountKeeper } from "../../core/accounts/account_changes.ts";
import type { AccountId, AssetCode, CalendarDate, KeyId, UtcMillis } from "../../core/branded_types.ts";
import { issueKey } from "../../core/mod.ts";
import type { ObservationWriter, QuotaLedger } from "../../core/ports.ts";
import { imported, many, PLAN, undo } from "./imports_suite.ts";
import { NOW } from "./json_files_fixtures.ts";
import { observed } from "./store_suite.ts";

/** A store to be filled. */
export interface Installation {
  readonly observations: ObservationWriter;
  readonly accounts: AccountKeeper;
  readonly quota: QuotaLedger;
  readonly imports: ImportAccess;
}

/** The quota days on which the accounts have used units. */
export const TODAY = "2026-11-21" as CalendarDate;
const YESTERDAY = "2026-11-20" as CalendarDate;

/**
 * Fills a store with data of every kind: records of all statuses and several assets, with their own insert times; keys
 * with notes and expiry dates; counters for two days; finished, partly undone and open imports. Returns the keys.
 */
export async function fillInstallation(installation: Installation): Promise<readonly string[]> {
  const { observations, accounts, quota, imports } = installation;
  const code = "EUR_RLS" as AssetCode;
  await observations.append([
    observed(1, 0.1, { code, insertTime: 7 as UtcMillis }),
    observed(2, 2 / 3, { code, qualityStatus: "PENDING", qualityMessage: "دیر" }),
    observed(1, 5, { sourceTime: 9 as UtcMillis, provider: "بازار" }),
    observed(2, 6, { qualityStatus: "REJECTED" }),
  ]);
  const done = await imported(imports, many(3_000, 1_000));
  await imported(imports, [observed(1, 11), observed(3, 12), observed(9_000, 13)]);
  await undo(imports, done + 1);
  const { id } = await imports.begin({ ...PLAN, subjects: ["a", "ب"] });
  await imports.append(id, [observed(4, 44), observed(9_001, 1)], false);

  const keys: string[] = [];
  const issue = async (account: string, note: string): Promise<KeyId> => {
    const made = { accountId: account as AccountId, createdAt: NOW, expiresAt: null, note };
    const { key, entry } = await issueKey(nodeSystem, made);
    await accounts.update([{ op: "key.create", entry }]);
    keys.push(key);
    return entry.id;
  };
  await accounts.update([{ op: "plan.patch", name: "gold", dailyUnits: null, attributionRequired: false }]);
  const first = await issue("alice", "دفتر");
  const second = await issue("bob", "");
  await accounts.update([
    { op: "key.revoke", id: await issue("alice", "old"), at: NOW },
    { op: "account.patch", id: "bob" as AccountId, plan: "gold", status: "RESTRICTED" },
  ]);
  for (const [account, key, day, units] of [
    ["alice", first, TODAY, 7],
    ["alice", first, YESTERDAY, 2],
    ["bob", second, TODAY, 1],
  ] as const) {
    for (let unit = 0; unit < units; unit++) await quota.take(account as AccountId, day, 50, key);
  }
  return keys;
}

/** The content as plain values, for comparisons. */
export async function valuesOfContent({ records, book, usage, imports, before }: StoreContent): Promise<object> {
  const counted = usage.map(({ day, accounts }) => ({
    day,
    accounts: [...accounts].sort((a, b) => (a.account < b.account ? -1 : 1)),
  }));
  const all = { records: [] as unknown[], book, usage: counted, imports: [] as unknown[] };
  for await (const record of records()) all.records.push(record);
  for (const imported of imports) {
    const undoRecords: unknown[] = [];
    // Undone imports are left out, because a copy has only the records that an undo could still restore.
    if (!imported.undone) for await (const record of before(imported)) undoRecords.push(record);
    all.imports.push({ imported, undoRecords });
  }
  return all;
}
