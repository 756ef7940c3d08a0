/**
 * A ledger of units on Redis or Valkey, exact for any number of instances.
 *
 * @module
 */

export type { RedisClient } from "./client.ts";
export type { InitRedisQuotaOptions, RedisLedger } from "./init_ledger.ts";
export { initRedisQuota, LEDGER_COUNTERS } from "./init_ledger.ts";
export type { RedisQuota, RedisQuotaOptions } from "./quota.ts";
export { createRedisQuota } from "./quota.ts";
