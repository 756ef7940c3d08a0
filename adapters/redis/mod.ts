/**
 * A ledger of units on Redis or Valkey, exact for any number of instances.
 *
 * @module
 */
export { createRedisQuota } from "./quota.ts";
export type { RedisQuota, RedisQuotaOptions } from "./quota.ts";
export { LEDGER_COUNTERS, initRedisQuota } from "./init.ts";
export type { InitRedisQuotaOptions, RedisLedger } from "./init.ts";
export type { RedisClient } from "./client.ts";
