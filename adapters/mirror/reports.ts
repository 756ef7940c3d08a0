import { formatTimestamp } from "../../core/internal.ts";
import type { LevelDoubt } from "../../core/internal.ts";
import type { UtcMillis } from "../../core/mod.ts";
import { reasonOf } from "../store/doubts.ts";
import type { CheckedRecords, RefusedRecord } from "./check_records.ts";
import type { MirrorEvent } from "./events.ts";
import type { MirrorFigures, Rest } from "./status.ts";

/** Reports each event once, and keeps what a status needs besides the state. */
export interface Reports {
  failing(message: string, now: UtcMillis): void;
  works(): void;
  /** Reports that the mirror rests, once for each rest. */
  rests(rest: Rest | undefined): void;
  smallerPlan(limit: number, unitsADay: number): void;
  stopped(message: string, now: UtcMillis): void;
  checked(found: Pick<CheckedRecords, "refused" | "unknown" | "doubts">): void;
  complete(code: string): void;
  fault(error: unknown): void;
  figures(): Pick<MirrorFigures, "trouble" | "refusedCount" | "lastRefused" | "unknownCodes">;
}

const SHOWN = 20;
const MAX_CODES = 200;

/** @param tell Called with each event. */
export function createReports(tell: (event: MirrorEvent) => void): Reports {
  let trouble: MirrorFigures["trouble"];
  let refusedCount = 0;
  let lastRefused: readonly RefusedRecord[] = [];
  let isResting = false;
  const unknownCodes = new Set<string>();
  /** What was told already: an upstream repeats the same record in each answer. */
  const told = new Set<string>();

  function tellOnce(text: string, event: MirrorEvent): void {
    if (told.has(text)) return;
    if (told.size >= MAX_CODES) told.clear();
    told.add(text);
    tell(event);
  }

  return {
    failing(message, now) {
      if (trouble === undefined) tell({ level: "warn", kind: "failing", message: `The mirror gets no answer that it can use, and tries again: ${message}` });
      trouble = { message, since: trouble?.since ?? now };
    },
    works() {
      if (trouble !== undefined) tell({ level: "info", kind: "recovered", message: "The upstream answers again" });
      trouble = undefined;
    },
    rests(rest) {
      if (rest && !isResting) tell({ level: "warn", kind: "resting", message: `The mirror asks for nothing until ${formatTimestamp(rest.until)}: ${rest.message}` });
      isResting = rest !== undefined;
    },
    smallerPlan(limit, unitsADay) {
      const message = `The plan of the upstream's key has ${limit} units a day, and the mirror may spend ${unitsADay}: it plans with ${limit}`;
      tellOnce(`plan ${limit}`, { level: "warn", kind: "smaller-plan", message });
    },
    stopped(message, now) {
      trouble = { message, since: now };
      tell({ level: "error", kind: "stopped", message: `The mirror has stopped, as ${message}; what is stored is served on. Start it again with a key that works` });
    },
    checked({ refused, unknown, doubts }) {
      refusedCount += refused.length;
      if (refused.length > 0) lastRefused = [...lastRefused, ...refused].slice(-SHOWN);
      for (const code of unknown) if (unknownCodes.size < MAX_CODES) unknownCodes.add(code);
      for (const { code, reason } of refused) {
        tellOnce(`${code} ${reason}`, { level: "warn", kind: "refused", message: `A record of "${code}" from the upstream was refused: ${reason}` });
      }
      for (const doubt of doubts) tellOnce(doubtInWords(doubt), { level: "warn", kind: "pending", message: doubtInWords(doubt) });
    },
    complete: (code) => tell({ level: "info", kind: "complete", message: `The history of ${code} is complete: the upstream has no older record` }),
    fault(error) {
      const message = error instanceof Error ? error.message : String(error);
      tell({ level: "error", kind: "state-not-saved", message: `The mirror could not store what it needs to, and tries again in a minute: ${message}` });
    },
    figures: () => ({ trouble, refusedCount, lastRefused, unknownCodes: [...unknownCodes] }),
  };
}

function doubtInWords(doubt: LevelDoubt): string {
  const { code, value, times } = doubt;
  return `${code} ${reasonOf(doubt)}, and the upstream has ${value} at ${formatTimestamp(times[0]!)}: it is kept as PENDING until somebody decides`;
}
