/**
 * A ledger of units on Redis or Valkey, exact for any number of instances.
 *
 * @module
 */

export type { RedisClient } from "./client.ts";
export { type InitRedisQuotaOptions, initRedisQuota, LEDGER_COUNTERS, type RedisLedger } from "./init_ledger.ts";
export type { RedisQuotaOptions } from "./ledger_keys.ts";
export { createRedisQuota, type RedisQuota } from "./quota.ts";
