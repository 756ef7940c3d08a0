/**
 * The rules of a mirror, which keeps a store filled from an upstream of this API within a number of requests a day:
 * what it does next, and how its state changes with each answer. It asks nobody and reads no clock: `mazaneh/mirror` does.
 *
 * @module
 */

export * from "./day_log.ts";
export * from "./history_backfill.ts";
export * from "./market_hours.ts";
export * from "./mirror_state.ts";
export * from "./next_request.ts";
export * from "./unit_ledger.ts";
export * from "./upstream_clock.ts";
