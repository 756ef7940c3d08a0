/**
 * The rules of a mirror, which keeps a store filled from an upstream of this API within a number of requests a day:
 * what it does next, and how its state changes with each answer. It asks nobody and reads no clock: `mazaneh/mirror` does.
 *
 * @module
 */
export { isComplete, lastDayOver } from "./archive.ts";
export type { CodeArchive, DayRange, Found, Wanted } from "./archive.ts";
export { budgetOf, daysForAYear } from "./budget.ts";
export type { Budget } from "./budget.ts";
export { endOfDay, planLimit, toldNow, unitsLeft, usedOn } from "./ledger.ts";
export type { Ledger, QuotaTold } from "./ledger.ts";
export { parseMirrorState, writeMirrorState } from "./state_json.ts";
export { nextAct } from "./planner.ts";
export type { MirrorAct, MirrorPlan, WaitReason } from "./planner.ts";
export { NEW_MIRROR, begun, checked, failed, filled, heard, refreshed, rested } from "./state.ts";
export type { MirrorState, PaidAct, PendingValue } from "./state.ts";
