import { parseDate } from "../../../core/internal.ts";
import type { AccountId, KeyId } from "../../../core/mod.ts";
import { type AccountUsage, type DayUsage, isAskedFor, type UsageQuery } from "../shared/store.ts";
import type { Send } from "./client.ts";
import type { LedgerKeys } from "./ledger_keys.ts";
import { SPENT } from "./lua_scripts.ts";

/** How many days are read. Redis keeps fewer. */
const MAX_DAYS = 35;

/**
 * Reads used units, newest day first. A day is `damaged` if accounts have no unit left because their use is unknown.
 */
export async function* readRedisUsage(send: Send, names: LedgerKeys, query: UsageQuery = {}): AsyncGenerator<DayUsage> {
  const states = await readHash(send, names.ledger);
  const days = [...states.keys()].flatMap((field) => parseDate(field) ?? []).filter((day) => isAskedFor(day, query));
  for (const day of days.sort().reverse().slice(0, MAX_DAYS)) {
    const counts = [...(await readHash(send, names.units(day)))].map(
      ([field, count]) => [field, Number(count)] as const,
    );
    const keys = new Map<string, KeyId[]>();
    for (const [key, field] of await readHash(send, names.keys(day))) {
      const known = keys.get(field);
      if (known) known.push(key as KeyId);
      else keys.set(field, [key as KeyId]);
    }
    const accounts = counts.map(([field, count]): AccountUsage => {
      return { account: field as AccountId, units: count % SPENT, keys: keys.get(field) ?? [] };
    });
    const isDamaged = states.get(day) === "all-spent" || counts.some(([, count]) => count >= SPENT);
    // Redis has dropped the units of older days.
    if (accounts.length > 0 || isDamaged) yield { day, accounts, ...(isDamaged && { damaged: true as const }) };
  }
}

/** All fields of a hash, read in pages. Redis may return a field twice. */
export async function readHash(send: Send, name: string): Promise<Map<string, string>> {
  const fields = new Map<string, string>();
  let cursor = "0";
  do {
    const [next, page] = (await send(["HSCAN", name, cursor, "COUNT", "1000"])) as [unknown, readonly unknown[]];
    for (let at = 0; at < page.length; at += 2) fields.set(String(page[at]), String(page[at + 1]));
    cursor = String(next);
  } while (cursor !== "0");
  return fields;
}
