import { parseDate } from "../../core/internal.ts";
import type { AccountBook, CalendarDate, UtcMillis } from "../../core/mod.ts";
import type { AccountUsage, DayUsage } from "../store/store.ts";
import { StoreError } from "../store/store_error.ts";
import { createSend } from "./client.ts";
import type { RedisClient } from "./client.ts";
import { expiryOf, fieldOf, ledgerKeys } from "./keys.ts";
import { createScript } from "./script.ts";
import { RAISE } from "./scripts.ts";
import { readHash, readRedisUsage } from "./usage.ts";

/** A script for all accounts takes longer than one for a request. */
const TIMEOUT_MS = 30_000;
const names = ledgerKeys("mazaneh");
const MISSING = "Redis has no ledger of units: `mazaneh migrate` with its URL makes one";

/** The id of the ledger. Throws `StoreError` where there is none. */
export async function readLedgerId(client: RedisClient): Promise<string> {
  const id = await createSend(client, TIMEOUT_MS)(["HGET", names.ledger, "id"]);
  if (id === null) throw new StoreError(MISSING, 78);
  return String(id);
}

/**
 * Reads the counters of a ledger, to be copied; never fewer units than were used. Where Redis does not know how many an
 * account has used, all of its plan are. Throws `StoreError` where counters of a day that is in force are lost.
 */
export async function readCounters(client: RedisClient, { plans, accounts: all }: AccountBook, now: UtcMillis): Promise<readonly DayUsage[]> {
  const send = createSend(client, TIMEOUT_MS);
  const limits = new Map(plans.map(({ name, dailyUnits }) => [name, dailyUnits]));

  function withoutUnits({ day, accounts }: DayUsage): DayUsage {
    const usage = new Map(accounts.map((one): [string, AccountUsage] => [one.account, one]));
    for (const { id: account, plan } of all) {
      const { units = 0, keys = [] } = usage.get(account) ?? {};
      usage.set(account, { account, units: Math.max(units, limits.get(plan) ?? 0), keys });
    }
    return { day, accounts: [...usage.values()] };
  }

  const states = await readHash(send, names.ledger);
  if (!states.has("id")) throw new StoreError(MISSING, 78);
  const days: DayUsage[] = [];
  for await (const day of readRedisUsage(send, names)) days.push(day.damaged ? withoutUnits(day) : day);
  for (const [field, state] of states) {
    const date = state === "counted" ? parseDate(field) : undefined;
    const isLost = date !== undefined && isInForce(date, now) && !days.some(({ day }) => day === date);
    if (isLost) throw new StoreError(`Cannot copy counters as Redis has lost those of ${field}: say how they count with mazaneh migrate --counters, then copy again`, 65);
  }
  return days;
}

/**
 * Raises the counters of a ledger to those of another one, in one script: no account has fewer units used than there.
 * Days that Redis would forget by now are left out. Resolves to the number of counters.
 */
export async function raiseCounters(client: RedisClient, usage: readonly DayUsage[], now: UtcMillis): Promise<number> {
  const days = usage.filter(({ day }) => isInForce(day, now));
  const keys = [names.ledger];
  const args: string[] = days.map(({ day }) => day);
  let raised = 0;
  for (const { day, accounts } of days) {
    const used = accounts.filter(({ units }) => units > 0);
    const noted = accounts.flatMap(({ account, keys: ids }) => ids.map((id) => [fieldOf(id), fieldOf(account)] as const));
    keys.push(names.units(day), names.keys(day));
    args.push(String(expiryOf(day)), String(used.length), String(noted.length));
    for (const { account, units } of used) args.push(fieldOf(account), String(units));
    for (const pair of noted) args.push(...pair);
    raised += used.length;
  }
  const answer = await createScript(createSend(client, TIMEOUT_MS), RAISE)(keys, args);
  if (answer === "no-ledger") throw new StoreError(MISSING, 78);
  if (answer === "no-counters") throw new StoreError("Redis has lost counters of a day in force: say how they count with mazaneh migrate --counters", 78);
  return raised;
}

/** Whether Redis still holds the counters of a day. */
function isInForce(day: CalendarDate, now: UtcMillis): boolean {
  return expiryOf(day) * 1_000 > now;
}
