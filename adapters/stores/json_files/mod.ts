/**
 * A store in a directory of plain JSON files, for one machine: observations and counters in append-only logs, accounts
 * in a file that is replaced as a whole. Needs a POSIX system and a local disk.
 *
 * @module
 */

export type { Compaction, OwnerInfo, StoreAccess } from "../shared/engine.ts";
export type {
  Decision,
  DecisionStep,
  Import,
  ImportAccess,
  ImportEntry,
  ImportOutcome,
  ImportPlan,
  ImportSummary,
  ImportUndone,
  Matching,
  PendingRecords,
  Selection,
  Undoing,
  UndoOutcome,
  ValueChange,
  Worker,
} from "../shared/imports.ts";
export { addOutcomes, NOTHING_DONE, REMEMBERED_IMPORTS, sizeOfChange, storedBy } from "../shared/imports.ts";
export type { AccountUsage, DayUsage } from "../shared/store.ts";
export { StoreError } from "../shared/store_error.ts";
export { readAccountBook } from "./accounts.ts";
export { connectOrOpen } from "./connect_or_open.ts";
export type { Owner, StoreCondition, StoreProblem } from "./errors.ts";
export { DataDamaged, DirectoryInUse, OwnerGone, SchemaTooNew } from "./errors.ts";
export { type FileSystem, nodeFileSystem, type OpenDirectory, type OpenFile, type OpenMode } from "./file_system.ts";
export { connectToStore } from "./lock/control_server.ts";
export type { FileDamage } from "./log/damage.ts";
export type { Backup, Restored, RestoreOptions } from "./maintenance/backup.ts";
export { backupStore, RESTORED_QUOTA, restoreStore } from "./maintenance/backup.ts";
export type { FileReport, FoundDamage, StoreReport } from "./maintenance/damage_report.ts";
export { type Loss, type Repair, type RepairOptions, type RepairPlan, repairStore } from "./maintenance/repair.ts";
export { verifyStore } from "./maintenance/verify.ts";
export { isStoreDirectory } from "./manifest.ts";
export { mirrorStateFile } from "./mirror_state_file.ts";
export { readUsage, type UsageOptions } from "./quota/read_usage.ts";
export { type ReadStore, readJsonFiles } from "./read_store.ts";
export { type JsonFileOptions, type JsonFileStore, openJsonFiles } from "./store.ts";
