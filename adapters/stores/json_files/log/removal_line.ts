import { isPrintable } from "../../../../core/internal.ts";
import type { AssetCode, Observation, ObservationKey, UtcMillis } from "../../../../core/mod.ts";
import { type LogLines, textLines } from "./log_lines.ts";
import { decodeObservation } from "./observation_line.ts";

/** What a line of a log of observations says: an observation, or that some are taken out. */
export type MarketLine = Observation | Removal;

/** Takes the observations of a code with these business times out of the market. */
export interface Removal {
  readonly code: AssetCode;
  /** Ascending, without repetitions. */
  readonly times: readonly UtcMillis[];
}

/** So many times always fit into a line. */
const TIMES_A_LINE = 500;

/** The removals of some observations: one for each code, or more where they are many. */
export function removalsOf(keys: readonly ObservationKey[]): readonly Removal[] {
  const timesOf = new Map<AssetCode, Set<UtcMillis>>();
  for (const { code, businessTime } of keys) timesOf.set(code, (timesOf.get(code) ?? new Set()).add(businessTime));
  const removals: Removal[] = [];
  for (const [code, unsorted] of timesOf) {
    const times = [...unsorted].sort((a, b) => a - b);
    for (let from = 0; from < times.length; from += TIMES_A_LINE)
      removals.push({ code, times: times.slice(from, from + TIMES_A_LINE) });
  }
  return removals;
}

/** The lines of removals: `c` code, `rm` business times. Throws `RangeError` for too many. */
export function removalLines(removals: readonly Removal[]): LogLines {
  return textLines(removals.map(({ code, times }) => `"c":${JSON.stringify(code)},"rm":[${times.join()}]`));
}

/** Reads a line of a log of observations; `undefined` when it is none. */
export function decodeMarketLine(line: object): MarketLine | undefined {
  return "rm" in line ? decodeRemoval(line) : decodeObservation(line);
}

/** Whether a line takes observations out. */
export function isRemoval(line: MarketLine): line is Removal {
  return "times" in line;
}

function decodeRemoval({ c, rm }: { readonly c?: unknown; readonly rm: unknown }): Removal | undefined {
  if (typeof c !== "string" || c === "" || !Array.isArray(rm)) return undefined;
  const isAscending = rm.every((time: unknown, i) => isTime(time) && (i === 0 || (rm[i - 1] as number) < time));
  return isAscending ? { code: c as AssetCode, times: rm as UtcMillis[] } : undefined; // Each member is checked.
}

function isTime(time: unknown): time is number {
  return typeof time === "number" && Number.isInteger(time) && isPrintable(time);
}
