import { maskKeys } from "../../core/internal.ts";
import type { AccountBook, AccountId, KeyEntry, Plan, UtcMillis } from "../../core/mod.ts";
import { wrongUsage } from "./command_failure.ts";
import { countOf, timestampOrNull } from "./text_table.ts";

/** Only `live` keys are accepted. */
export type KeyState = "live" | "expired" | "revoked";

/** The state of a key at the time `now`. */
export function keyState({ expiresAt, revokedAt }: KeyEntry, now: UtcMillis): KeyState {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "live";
}

/** A key as JSON, without its digest. */
export function keyJson(entry: KeyEntry, now: UtcMillis): object {
  const { id, accountId, createdAt, expiresAt, revokedAt, note, may = "read", codes = null } = entry;
  return {
    id,
    account: accountId,
    state: keyState(entry, now),
    createdAt: timestampOrNull(createdAt),
    expiresAt: timestampOrNull(expiresAt),
    revokedAt: timestampOrNull(revokedAt),
    note,
    may,
    codes,
  };
}

/** The rights of a key in words, such as `read` or `write USD_RLS, EUR_RLS`. */
export function rightsInWords({ may = "read", codes }: KeyEntry): string {
  return [may, ...(codes ? [codes.join(", ")] : [])].join(" ");
}

/** The plan of an account of the book. */
export function planOf({ accounts, plans }: AccountBook, accountId: AccountId): Plan {
  const { plan } = accounts.find(({ id }) => id === accountId)!;
  return plans.find(({ name }) => name === plan)!;
}

/** A plan in words, such as `plan FREE_STARTER (50 units a day)`. */
export function planInWords({ name, dailyUnits }: Plan): string {
  return `plan ${name} (${dailyUnits === null ? "no limit" : `${countOf(dailyUnits, "unit")} a day`})`;
}

/** Throws a usage failure for a text that looks like an API key, because the key would be stored in plain text. */
export function demandNoKey(name: string, text: string): void {
  if (maskKeys(text) !== text) throw wrongUsage(`${name} looks like an API key, and would be stored in plain text`);
}

/** Reads the number of units a day; `null` means no limit. Throws a usage failure for any other text. */
export function readUnits(option: string, text: string): number | null {
  if (text === "unlimited") return null;
  const units = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (units < 1) throw wrongUsage(`${option} must be a whole number from 1, or unlimited: received "${text}"`);
  return units;
}
