/** The factor for the number of rounds: 1 for `npm test`, 10 for `npm run nightly`. */
const SIZE = Number(process.env["MAZANEH_TEST_SIZE"] ?? 1);

/** Whether long tests also run, and all cases of long lists. */
export const IS_NIGHTLY = SIZE >= 10;

/** The number of rounds or property runs of a test: `small` in `npm test`, ten times `usual` in the nightly run. */
export function runs(small: number, usual = small): number {
  return Math.ceil((IS_NIGHTLY ? usual : small) * SIZE);
}

/** The cases of a long list that run: each `nth`; all in the nightly run. */
export function share<T>(cases: readonly T[], nth: number): readonly T[] {
  return cases.filter((_, i) => IS_NIGHTLY || i % nth === 0);
}

/** The step between the calls that fail, one in each round of a test: 1 (every call) in the nightly run, else `day`. */
export function stride(day: number): number {
  return IS_NIGHTLY ? 1 : day;
}
