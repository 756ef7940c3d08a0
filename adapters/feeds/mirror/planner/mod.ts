/**
 * The rules of a mirror: its next act, and how each answer changes its state. Rules send no request and read no clock.
 *
 * @module
 */

export * from "./history_backfill.ts";
export * from "./market_hours.ts";
export * from "./mirror_state.ts";
export * from "./next_request.ts";
export * from "./unit_ledger.ts";
export * from "./upstream_clock.ts";
