import { DAY_MS, HOUR_MS, KEY_RIGHTS, parseTimestamp } from "../../core/internal.ts";
import type { Asset, KeyEntry, UtcMillis } from "../../core/mod.ts";
import { wrongUsage } from "./command_failure.ts";
import { assetOf } from "./market/find_asset_code.ts";

const MAX_OVERLAP_MS = 7 * DAY_MS;

/** Reads `--may` and `--codes`. Throws a usage failure for a code that is not in the catalog. */
export function readScope(
  options: Readonly<Partial<Record<"may" | "codes", string>>>,
  assets: readonly Asset[],
): Pick<KeyEntry, "may" | "codes"> {
  const may = options.may === undefined ? "read" : KEY_RIGHTS.find((rights) => rights === options.may);
  if (!may) throw wrongUsage(`--may must be one of ${KEY_RIGHTS.join("; ")}: received "${options.may}"`);
  if (options.codes === undefined) return { may };
  if (!may.includes("write")) throw wrongUsage("--codes limits what a key may write: add --may write");
  const codes = options.codes.split(",").map((code) => assetOf(code.trim(), assets).code);
  return { may, codes: [...new Set(codes)] };
}

/** Reads `--expires`: a time, or a duration that starts now. */
export function readExpiry(text: string, now: UtcMillis): UtcMillis {
  const at = durationOf(text) > 0 ? now + durationOf(text) : parseTimestamp(text)?.millis;
  if (at === undefined)
    throw wrongUsage(`--expires must be 30d, 12h, or a time such as 2027-01-31T12:00:00Z: received "${text}"`);
  if (at <= now) throw wrongUsage(`--expires must be in the future: received "${text}"`);
  return at as UtcMillis;
}

/** Reads `--overlap`, in milliseconds. */
export function readOverlap(text: string): number {
  const overlap = durationOf(text);
  if (!(overlap <= MAX_OVERLAP_MS)) throw wrongUsage(`--overlap must be from 0h to 7d, e.g. 24h: received "${text}"`);
  return overlap;
}

/** Reads hours or days, such as `12h` or `30d`; `NaN` for any other text. */
function durationOf(text: string): number {
  const [, count, unit] = /^(\d{1,5})([hd])$/.exec(text) ?? [];
  return count === undefined ? NaN : Number(count) * (unit === "h" ? HOUR_MS : DAY_MS);
}
