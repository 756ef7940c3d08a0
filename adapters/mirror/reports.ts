import { formatTimestamp } from "../../core/internal.ts";
import type { UtcMillis } from "../../core/mod.ts";
import { reasonOf } from "../store/doubts.ts";
import type { MirrorEvent } from "./options.ts";
import type { TakenRecords } from "./records.ts";
import type { MirrorFigures, MirrorStatus } from "./status.ts";

const SHOWN = 20;
const MAX_CODES = 200;

/** Reports each event once, by `tell`, and keeps what a status needs besides the state. */
export function createReports(tell: (event: MirrorEvent) => void) {
  let trouble: MirrorFigures["trouble"];
  let otherUnits: string | undefined;
  let historyTrouble: string | null = null;
  let refused: MirrorFigures["refused"] = { count: 0, last: [], unknownCodes: [] };
  let last: MirrorStatus["state"] | undefined;
  const requests: Record<string, number> = {};
  /** What was told already: an upstream repeats the same record in each answer. */
  const told = new Set<string>();

  function once(level: MirrorEvent["level"], kind: MirrorEvent["kind"], message: string): void {
    if (told.has(message)) return;
    if (told.size >= MAX_CODES) told.clear();
    told.add(message);
    tell({ level, kind, message });
  }

  return {
    /** Tells a change of the state. */
    state({ state, message, until }: MirrorStatus): void {
      if (state === last || (last === undefined && state === "late")) return;
      const words = state === "running" ? "The mirror runs" : `The mirror is ${state}${until === null ? "" : `, until ${until} or earlier`}: ${message}`;
      if (last !== undefined || state !== "running") tell({ level: state === "running" ? "info" : "warn", kind: state, message: words });
      last = state;
    },
    answered: (outcome: string) => void (requests[outcome] = (requests[outcome] ?? 0) + 1),
    failing: (message: string, now: UtcMillis) => void (trouble = { message, since: trouble?.since ?? now }),
    works: () => void (trouble = undefined),
    history(message: string | undefined): void {
      historyTrouble = message ?? null;
      if (message !== undefined) once("warn", "history", `History alone is not answered, and is asked for again later: ${message}`);
    },
    taken(found: TakenRecords, isRefresh: boolean): void {
      const codes = found.otherUnits;
      if (isRefresh) otherUnits = codes.length === 0 ? undefined : `The upstream quotes ${codes.length} assets in another unit than this server, which are refused: ${codes.slice(0, 5).join(", ")}`;
      const unknownCodes = [...new Set([...refused.unknownCodes, ...found.unknown])].slice(0, MAX_CODES);
      refused = { count: refused.count + found.refused.length, last: [...refused.last, ...found.refused].slice(-SHOWN), unknownCodes };
      for (const { code, reason } of found.refused) once("warn", "refused", `A record of "${code}" from the upstream was refused: ${reason}`);
      for (const { code, businessTime, qualityMessage } of found.clashes) once("warn", "pending", `${code} at ${formatTimestamp(businessTime)}: ${qualityMessage}`);
      for (const doubt of found.doubts) {
        once("warn", "pending", `${doubt.code} ${reasonOf(doubt)}, and the upstream has ${doubt.value} at ${formatTimestamp(doubt.times[0]!)}: it is kept as PENDING until somebody decides`);
      }
    },
    once,
    figures: () => ({ trouble, otherUnits, requests: { ...requests }, refused, historyTrouble }),
  };
}
