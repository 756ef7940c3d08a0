/** The factor for the number of rounds: 1 for `npm test`, 10 for `npm run nightly`. */
const SIZE = Number(process.env["MAZANEH_TEST_SIZE"] ?? 1);

/** Whether long tests run, too. */
export const IS_NIGHTLY = SIZE >= 10;

/** The number of rounds or property runs for a test that makes `small` of them in `npm test`. */
export function runs(small: number): number {
  return Math.ceil(small * SIZE);
}

/** The calls to fail, in a test that fails one call at a time: all in the nightly run, every `day`th otherwise. */
export function stride(day: number): number {
  return IS_NIGHTLY ? 1 : day;
}
