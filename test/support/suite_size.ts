/** The factor for the number of rounds: 1 for `npm test`, 10 for `npm run nightly`. */
const SIZE = Number(process.env["MAZANEH_TEST_SIZE"] ?? 1);

/** Whether long tests also run. */
export const IS_NIGHTLY = SIZE >= 10;

/** Whether all cases run: when coverage is measured, as in .ci/run, and in the nightly run. */
export const RUNS_ALL = process.env["MAZANEH_TEST_ALL"] === "1";

/** The number of rounds or property runs of a test: `small` in `npm test`; if all cases run, `usual` or more. */
export function runs(small: number, usual = small): number {
  return Math.ceil((RUNS_ALL ? usual : small) * SIZE);
}

/** The cases of a long list that run: each `nth`, or all if coverage is measured and in the nightly run. */
export function share<T>(cases: readonly T[], nth: number): readonly T[] {
  return cases.filter((_, i) => RUNS_ALL || i % nth === 0);
}

/** The step between the calls that fail, one in each round of a test: 1 (every call) in the nightly run, else `day`. */
export function stride(day: number): number {
  return IS_NIGHTLY ? 1 : day;
}
