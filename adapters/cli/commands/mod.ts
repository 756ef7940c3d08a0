import type { Command } from "../command.ts";
import { accountsList, accountsSet } from "./accounts.ts";
import { admin } from "./admin.ts";
import { backup, restore } from "./backup_and_restore.ts";
import { compact } from "./compact.ts";
import { copy } from "./copy.ts";
import { doctor } from "./doctor.ts";
import { exportCommand } from "./export.ts";
import { get } from "./get.ts";
import { importCommand } from "./import.ts";
import { importsList, importsUndo } from "./imports.ts";
import { info } from "./info.ts";
import { keysCreate, keysList, keysRevoke, keysRoll } from "./keys.ts";
import { mcp } from "./mcp.ts";
import { migrateCommand } from "./migrate.ts";
import { mirrorReport } from "./mirror_report.ts";
import { mirrorAgain, mirrorStatus } from "./mirror_status_and_again.ts";
import { openapi } from "./openapi.ts";
import { pendingAccept, pendingList, pendingReject } from "./pending.ts";
import { plansList, plansSet } from "./plans.ts";
import { repair } from "./repair.ts";
import { sample } from "./sample.ts";
import { serve } from "./serve.ts";
import { status } from "./status.ts";
import { usage } from "./usage.ts";
import { verify } from "./verify.ts";
import { withdraw } from "./withdraw.ts";

/** All commands, in the order in which the help lists them. */
export const COMMANDS: readonly Command[] = [
  serve,
  keysCreate,
  keysList,
  keysRoll,
  keysRevoke,
  accountsList,
  accountsSet,
  plansList,
  plansSet,
  usage,
  importCommand,
  importsList,
  importsUndo,
  withdraw,
  pendingList,
  pendingAccept,
  pendingReject,
  exportCommand,
  info,
  get,
  status,
  doctor,
  admin,
  mirrorStatus,
  mirrorReport,
  mirrorAgain,
  mcp,
  openapi,
  sample,
  migrateCommand,
  copy,
  verify,
  compact,
  backup,
  restore,
  repair,
];
