import type { AssetCode, UtcMillis } from "../brand.ts";
import type { Observation } from "./observation.ts";
import { DAY_MS } from "../time/durations.ts";

/** What a store has at a business time of an asset, and next to it. */
export interface Neighbours {
  /** The observation of that time, whatever its status. */
  readonly at: Observation | undefined;
  /** The accepted observation before it. */
  readonly before: Observation | undefined;
  /** The accepted observation after it. */
  readonly after: Observation | undefined;
  /** How many accepted observations the asset has. */
  readonly count: number;
}

/** A record that may jump, and what is stored around it. */
export interface Jump {
  readonly observation: Observation;
  readonly stored: Neighbours;
}

/** A jump. */
export interface FoundJump {
  readonly code: AssetCode;
  readonly businessTime: UtcMillis;
  /** The value of the neighbour. */
  readonly from: number;
  readonly to: number;
  /** Whether the neighbour is stored already. */
  readonly isAgainstStored: boolean;
  /** Both records, as their times have them. */
  readonly earlier: Observation;
  readonly later: Observation;
}

/** The factor by which no market moves between neighbouring records, and which errors of the unit exceed. */
const JUMP_FACTOR = 5;
/** Records further apart are no neighbours: in a year, even a sound market moves that far. */
export const NEAR_MS = 90 * DAY_MS;

/**
 * The jump of a record against the record before or after it, if it is one.
 * A record that takes the place of one that had the same jump is none, as it has not made it.
 *
 * @param own What the same import or answer has around the record.
 */
export function jumpOf({ observation, stored }: Jump, own: Neighbours): FoundJump | undefined {
  const { code, businessTime, value, qualityStatus } = observation;
  if (qualityStatus !== "ACCEPTED") return undefined;
  // Of the neighbours that are stored and the own ones the nearer one counts, of the same time the own one.
  const neighbours = [nearer(businessTime, own.before, stored.before), nearer(businessTime, own.after, stored.after)];
  for (const neighbour of neighbours) {
    if (!neighbour || Math.abs(neighbour.businessTime - businessTime) > NEAR_MS) continue;
    if (!isFar(neighbour.value, value)) continue;
    if (stored.at?.qualityStatus === "ACCEPTED" && isFar(neighbour.value, stored.at.value)) continue;
    // Also one that the same import has stored by now.
    const isAgainstStored = isSame(neighbour, stored.before) || isSame(neighbour, stored.after);
    const [earlier, later] = neighbour.businessTime < businessTime ? [neighbour, observation] : [observation, neighbour];
    return { code, businessTime, from: neighbour.value, to: value, isAgainstStored, earlier, later };
  }
  return undefined;
}

function isSame(a: Observation, b: Observation | undefined): boolean {
  return a.businessTime === b?.businessTime && a.value === b.value;
}

/** Whether one value is five times the other or more. */
export function isFar(a: number, b: number): boolean {
  return a >= JUMP_FACTOR * b || b >= JUMP_FACTOR * a;
}

function nearer(time: number, own: Observation | undefined, stored: Observation | undefined): Observation | undefined {
  if (!own || !stored) return own ?? stored;
  return Math.abs(stored.businessTime - time) < Math.abs(own.businessTime - time) ? stored : own;
}
