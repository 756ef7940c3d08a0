/**
 * A store in a directory of plain JSON files, for one machine: observations and counters in append-only logs,
 * accounts in a file that is replaced as a whole. Needs a POSIX system and a local disk.
 *
 * @module
 */
export { openAccountStore, readAccountBook } from "./account_store.ts";
export type { AccountStore } from "./account_store.ts";
export { connectOrOpen } from "./connect.ts";
export { connectToStore } from "./lock/control_client.ts";
export { isStoreDirectory } from "./manifest.ts";
export { mirrorStateFile } from "./mirror_state.ts";
export { readJsonFiles } from "./read_store.ts";
export type { ReadOptions, ReadStore } from "./read_store.ts";
export { openJsonFiles } from "./store.ts";
export type { JsonFileOptions, JsonFileStore } from "./store.ts";
export { backupStore } from "./maintenance/backup.ts";
export type { Compaction } from "./maintenance/compact.ts";
export type { Backup, BackupFile } from "./maintenance/backup_document.ts";
export { repairStore } from "./maintenance/repair.ts";
export type { Repair } from "./maintenance/repair.ts";
export { RESTORED_QUOTA, restoreStore } from "./maintenance/restore.ts";
export type { RestoreOptions, Restored } from "./maintenance/restore.ts";
export { verifyStore } from "./maintenance/verify.ts";
export type { FileReport, FoundDamage, StoreReport } from "./maintenance/report.ts";
export { DataDamaged, DirectoryInUse, HolderGone, HolderLeft, SchemaTooNew, StoreError } from "./errors.ts";
export type { Holder, StoreCondition, StoreProblem } from "./errors.ts";
export { nodeFileSystem } from "./fs.ts";
export type { FileSystem, OpenDirectory, OpenFile, OpenMode } from "./fs.ts";
export { addOutcomes, NOTHING_DONE, sizeOfChange, storedBy } from "./imports/act.ts";
export type { Act, ActOutcome, ActPlan, ActSummary, ActUndone, ValueChange, Worker } from "./imports/act.ts";
export { REMEMBERED_ACTS, REMEMBERED_BYTES } from "./imports/forget.ts";
export type { ActEntry } from "./imports/list.ts";
export type { Matching, Selection, WithdrawalStep } from "./imports/withdraw.ts";
export { importsThrough } from "./imports/requests.ts";
export type { ImportAccess, Undoing, UndoOutcome } from "./imports/import_access.ts";
export { readQuotaDays, readUsage } from "./quota/usage.ts";
export type { AccountUsage, DayUsage } from "./quota/usage.ts";
export type { StoreAccess, StoreInfo } from "./lock/control.ts";
export type { FileDamage } from "./log/damage.ts";
