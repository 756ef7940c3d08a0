import { digestMatches } from "../../core/accounts/keys.ts";
import type { Found } from "./trial.ts";

const DIGITS = 64;

/** Counts the characters that are looked at while a key's digest is compared: all of them, wherever two digests differ. */
export async function countLooks(): Promise<Found> {
  const violations: string[] = [];
  const stored = "0f".repeat(DIGITS / 2);
  const looksAt = (presented: string, expected: string | undefined): number => {
    let looks = 0;
    const counted = Object.assign(new String(presented), {
      charCodeAt(at: number): number {
        looks++;
        return presented.charCodeAt(at);
      },
    });
    digestMatches(counted as string, expected);
    return looks;
  };
  for (let place = 0; place < DIGITS; place++) {
    const presented = `${stored.slice(0, place)}a${stored.slice(place + 1)}`;
    const looks = looksAt(presented, stored);
    if (looks !== DIGITS) violations.push(`${looks} characters looked at where digests differ at ${place}`);
    if (digestMatches(presented, stored)) violations.push(`a wrong digest matches, which differs at ${place}`);
  }
  if (looksAt(stored, undefined) !== DIGITS) violations.push("an unknown id is told apart from a known one");
  if (digestMatches(stored, undefined) || !digestMatches(stored, stored)) violations.push("compares wrongly");
  return { places: DIGITS, violations };
}
