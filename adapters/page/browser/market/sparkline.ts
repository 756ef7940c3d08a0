/** A line through the values of some days. */
export interface Sparkline {
  /** For the attribute `d` of a path. */
  readonly path: string;
  /** The last point. */
  readonly end: readonly [x: number, y: number];
  readonly first: number;
  readonly last: number;
  readonly low: number;
  readonly high: number;
}

/**
 * Lays values out from left to right in a box, the highest at the top. Days without a value keep their width, and the
 * line leads on across them.
 *
 * @returns `undefined` for fewer than two values, which make no line.
 */
export function sparkline(values: readonly (number | null)[], width: number, height: number): Sparkline | undefined {
  const known = values.filter((value) => value !== null);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || known.length < 2) return undefined;
  const low = Math.min(...known);
  const high = Math.max(...known);
  const step = width / (values.length - 1);
  const heightOf = (value: number): number => (high === low ? height / 2 : height * (1 - (value - low) / (high - low)));
  const points = values.flatMap((value, index) => (value === null ? [] : [[round(index * step), round(heightOf(value))] as const]));
  return { path: `M${points.map((point) => point.join(" ")).join("L")}`, end: points.at(-1)!, first, last, low, high };
}

/** A tenth of a pixel is enough, and keeps the document small. */
function round(value: number): number {
  return Math.round(value * 10) / 10;
}
