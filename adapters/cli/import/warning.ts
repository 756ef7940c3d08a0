import { formatTimestamp } from "../../../core/internal.ts";
import type { ValueChange } from "../../store/imports.ts";
import { changeLines } from "../change_text.ts";
import { formatCount } from "../table.ts";
import { isDoubtful } from "./forecast.ts";
import type { Concerns } from "./forecast.ts";
import { isDoubtfulShift } from "./shifts.ts";
import type { Shift } from "./shifts.ts";

/** How many assets with records on another level are named. */
const SHOWN_SHIFTS = 3;

/** The lines that warn of an import; none for most. */
export function warningLines(concerns: Concerns): string[] {
  const { existing, changed, largest, jumps, largestJumps, shifts } = concerns;
  if (jumps === 0 && !isDoubtful(concerns)) return [];
  const lines: string[] = [];
  if (jumps > 0) {
    const verb = jumps === 1 ? "1 value jumps" : `${formatCount(jumps)} values jump`;
    lines.push(`${verb} by a factor of 5 or more against the record before or after. The largest jumps:`, ...indented(changeLines(largestJumps)));
  }
  const doubtful = shifts.filter(isDoubtfulShift);
  lines.push(...doubtful.slice(0, SHOWN_SHIFTS).map(shiftInWords));
  if (doubtful.length > SHOWN_SHIFTS) lines.push(`The same is true of ${formatCount(doubtful.length - SHOWN_SHIFTS)} more.`);
  if (changed > 0) {
    const verb = changed === 1 ? "value changes" : "values change";
    lines.push(`${formatCount(changed)} of ${formatCount(existing)} existing ${verb}. The largest differences:`, ...indented(changeLines(largest)));
  }
  if ([...largestJumps, ...largest].some(isTenfold)) lines.push("Values of codes that end in _RLS are in rial; 1 toman is 10 rial.");
  return lines;
}

/** What is said before an import goes on in spite of a warning; nothing where there was none. */
export function goesOnLines(concerns: Concerns): string[] {
  if (concerns.jumps === 0 || isDoubtful(concerns)) return [];
  return ["This does not stop the import, as these are few and the values return. Look at the days of these jumps; withdraw takes wrong records back."];
}

function shiftInWords({ code, records, of, isLast, since }: Shift): string {
  const [count, start] = [formatCount(records), formatTimestamp(since)];
  if (isLast) return `${code} ends on another level: ${records === 1 ? "the last record lies" : `${count} of its ${formatCount(of)} records lie`} a jump away, and none leads back after ${start}.`;
  return `${code} goes over to another level and back: ${count} of its ${formatCount(of)} records lie there, the first at ${start}.`;
}

/** Whether a change looks like toman taken for rial, or the other way round. */
function isTenfold({ code, from, to }: ValueChange): boolean {
  const factor = Math.max(from / to, to / from);
  return code.endsWith("_RLS") && factor > 7 && factor < 14;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** The same as JSON. */
export function warningJson(concerns: Concerns): object {
  const { existing, changed, largest, jumps, largestJumps, shifts } = concerns;
  const levels = shifts.map(({ since, ...shift }) => ({ ...shift, since: formatTimestamp(since) }));
  const listed = (changes: readonly ValueChange[]): object[] => changes.map((change) => ({ ...change, businessTime: formatTimestamp(change.businessTime) }));
  return { doubtful: isDoubtful(concerns), existing, changed, largestChanges: listed(largest), jumps, largestJumps: listed(largestJumps), shifts: levels };
}
