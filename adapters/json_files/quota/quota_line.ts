import type { AccountId, CalendarDate } from "../../../core/mod.ts";
import type { Log } from "../log/log.ts";
import { textLines } from "../log/log_lines.ts";

/** A line of a day's log: so many units of an account may be taken as served. */
export interface QuotaLine {
  readonly account: AccountId;
  readonly units: number;
}

/** Appends any number of lines, each as an act of its own; they share writes and syncs. */
export async function appendLines(log: Log, lines: readonly string[]): Promise<void> {
  await Promise.all(lines.map((line) => log.append(textLines([line]), () => undefined)));
}

/** The name of a day's log. */
export function quotaLog(date: CalendarDate): string {
  return `quota-${date}`;
}

/** Whether a log is that of a quota day. */
export function isQuotaLog(kind: string): boolean {
  return kind.startsWith(quotaLog("" as CalendarDate));
}

/** `r`: up to `units` may be served. `u`: exactly `units` were, at a clean stop. Both read alike: the last counts. */
export function encodeQuotaLine(kind: "r" | "u", account: AccountId, units: number): string {
  return `"t":"${kind}","a":${JSON.stringify(account)},"${kind}":${units}`;
}

/** Reads a line of a day's log; `undefined` when it is none. */
export function decodeQuotaLine(line: object): QuotaLine | undefined {
  const { t, a, r, u } = line as { t?: unknown; a?: unknown; r?: unknown; u?: unknown };
  const units = t === "r" ? r : t === "u" ? u : undefined;
  if (typeof a !== "string" || !Number.isSafeInteger(units) || (units as number) < 0) return undefined;
  return { account: a as AccountId, units: units as number };
}
