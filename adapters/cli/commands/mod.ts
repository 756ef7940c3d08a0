import { accountsList } from "./accounts_list.ts";
import { accountsSet } from "./accounts_set.ts";
import { backup } from "./backup.ts";
import type { Command } from "../command.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import.ts";
import { keysCreate } from "./keys_create.ts";
import { keysList } from "./keys_list.ts";
import { keysRevoke } from "./keys_revoke.ts";
import { keysRoll } from "./keys_roll.ts";
import { plansList } from "./plans_list.ts";
import { plansSet } from "./plans_set.ts";
import { repair } from "./repair.ts";
import { restore } from "./restore.ts";
import { serve } from "./serve.ts";
import { verify } from "./verify.ts";

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
  importCommand,
  exportCommand,
  verify,
  backup,
  restore,
  repair,
];
