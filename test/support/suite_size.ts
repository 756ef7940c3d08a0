/** How large the tests of many rounds are: 1 for `npm test`, 10 for `npm run nightly`. */
const SIZE = Number(process.env["MAZANEH_TEST_SIZE"] ?? 1);

/** Whether what takes long is run as well. */
export const IS_NIGHTLY = SIZE >= 10;

/** The number of rounds or runs of a property, of which `npm test` makes `small`. */
export function runs(small: number): number {
  return Math.ceil(small * SIZE);
}

/** The steps of a test that fails one call after the other: every call by night, every `day`th by day. */
export function stride(day: number): number {
  return IS_NIGHTLY ? 1 : day;
}
