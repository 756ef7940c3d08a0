import { checkedTime, createZone, dateOfDayNumber, dayNumber, quotaDayAt } from "../../../core/internal.ts";
import type { Clock } from "../../../core/mod.ts";
import { randomBytes, systemClock } from "../../http/web_system.ts";
import { ANSWER_MS } from "../shared/answer_in_time.ts";
import { StoreError } from "../shared/store_error.ts";
import { createSend, type RedisClient, type Send } from "./client.ts";
import { run } from "./count_units.ts";
import { type LedgerKeys, ledgerKeys, type RedisQuotaOptions } from "./ledger_keys.ts";
import { BEGIN, PROBE } from "./lua_scripts.ts";
import { findUnsafeSettings } from "./unsafe_settings.ts";

/** How a ledger counts the units of the current quota day: the values of `mazaneh restore --counters`. */
export const LEDGER_COUNTERS = ["spent", "all-spent", "as-backed-up"] as const;

/** The rights of a Redis user that the ledger needs, as in `ACL SETUSER`. */
export const NEEDED_RIGHTS =
  "+eval +hget +hmget +hset +hkeys +hdel +hexists +hscan +exists +ttl +expireat +time ~mazaneh:{quota}:*";

/** How a ledger is made. */
export interface InitRedisQuotaOptions extends RedisQuotaOptions {
  /**
   * `as-backed-up`: counters stay as they are in Redis, or begin at zero. Use it for new installations, or if units
   * may be granted twice. `all-spent`: no account with a limit has units left. `spent`: accounts that have used a unit
   * have none left. If the ledger is lost, no account with a limit has any left. Default: no ledger is made or changed.
   */
  readonly counters?: (typeof LEDGER_COUNTERS)[number] | undefined;
  /** Time zone of the quota days. Default: `UTC`. */
  readonly quotaTimeZone?: string;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
}

/** A ledger. */
export interface RedisLedger {
  readonly id: string;
  /** Whether this call has made the ledger. */
  readonly made: boolean;
}

/** The id of the ledger, or `undefined` if there is none. */
async function readLedgerId(send: Send, { ledger }: LedgerKeys): Promise<string | undefined> {
  const id = await send(["HGET", ledger, "id"]);
  return id === null ? undefined : String(id);
}

/** The id of the ledger. Throws `StoreError` if there is no ledger. */
export async function demandLedgerId(
  client: RedisClient,
  { prefix = "mazaneh", timeoutMs = ANSWER_MS }: RedisQuotaOptions = {},
): Promise<string> {
  const id = await readLedgerId(createSend(client, timeoutMs), ledgerKeys(prefix));
  if (id !== undefined) return id;
  throw new StoreError(
    "Redis has no ledger of units: `mazaneh migrate` or initRedisQuota makes one. If units were used before, Redis has lost them: `mazaneh migrate --counters` decides how they count",
    78,
  );
}

/** Throws if a ledger cannot be made or used here. Resolves to the id of the current ledger, if there is one. */
export async function demandWritable(client: RedisClient): Promise<string | undefined> {
  const send = createSend(client, ANSWER_MS);
  const names = ledgerKeys("mazaneh");
  await findUnsafeSettings(send);
  const id = await readLedgerId(send, names);
  await run(send, PROBE, [names.ledger, names.probe]);
  return id;
}

/**
 * Makes the ledger of a new installation. After Redis has lost units, sets how they count. The operator has to decide
 * this, because an empty Redis does not show whether units were used. Running servers continue at once. Call this in a
 * set-up step. If the code that starts a server had `counters`, each start after a loss would repeat the decision
 * silently. Throws `StoreError` if there is no ledger and `counters` does not say how to make one.
 */
export async function initRedisQuota(client: RedisClient, options: InitRedisQuotaOptions = {}): Promise<RedisLedger> {
  const { counters, quotaTimeZone = "UTC", prefix = "mazaneh", timeoutMs = ANSWER_MS, clock = systemClock } = options;
  if (counters !== undefined && !LEDGER_COUNTERS.includes(counters)) {
    throw new TypeError(
      `Cannot make a ledger because counters must be one of ${LEDGER_COUNTERS.join(", ")}: received "${String(counters)}"`,
    );
  }
  const send = createSend(client, timeoutMs);
  const names = ledgerKeys(prefix);
  const fresh = Array.from(randomBytes(8), (byte) => byte.toString(16).padStart(2, "0")).join("");
  // Includes the day before, because a server whose clock is slow may still count units on that day.
  const today = quotaDayAt(createZone(quotaTimeZone), checkedTime(clock())).date;
  const days = [dateOfDayNumber(dayNumber(today) - 1), today];
  const keys = [names.ledger, ...days.map(names.units)];
  const id = String(await run(send, BEGIN, keys, [fresh, counters ?? "", ...days]));
  if (id === "no-ledger") {
    throw new StoreError(
      `Redis has no ledger of units: say how today's units count, ${LEDGER_COUNTERS.join(", ")}. For a new installation, say as-backed-up: its units count from zero`,
      78,
    );
  }
  return { id, made: id === fresh };
}
