import { COMMANDS } from "../../adapters/cli/commands/mod.ts";

/** All commands with their options. */
export const LOADED = await Promise.all(COMMANDS.map(async (row) => ({ ...row, ...(await row.load()) })));
