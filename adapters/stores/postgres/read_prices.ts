import { listedProviders } from "../../../core/internal.ts";
import type { AssetCode, Candle, CandleRange, Observations, UtcMillis } from "../../../core/mod.ts";
import { BUCKET_MS } from "./batch_columns.ts";
import { WIDE_MS } from "./candle_rollup_sql.ts";
import type { Query } from "./connection.ts";
import { fromStored, toStored } from "./escape_text.ts";
import { OBSERVATION, type ObservationRow, toObservation } from "./observation_rows.ts";
import { ONE_OF_CODES, versionSql } from "./store_state.ts";

/** A row with its version, and the index (from 1) of the item that it belongs to; null if nothing was found. */
type PlacedRow<Row> = { readonly name: string } & ((Row & { readonly place: number }) | { readonly place: null });

interface CoverageRow extends ObservationRow {
  readonly first: number;
  /** A JSON array. */
  readonly providers: string;
}

interface CandlesRow {
  readonly name: string;
  readonly first: number | null;
  /** Start, open, high, low, close and count of each candle, separated by commas; null if there are no candles. */
  readonly candles: string | null;
}

/**
 * The reads of observations. Each read is one statement, which also returns the version of the same state. Statements
 * read only the rows that they return, except for candles: a candle of an hour is made from four roll-up buckets.
 */
export function createReads(query: Query): Observations {
  async function ofCodes<Row, T>(text: string, codes: readonly AssetCode[], make: (code: AssetCode, row: Row) => T) {
    const rows = await query<PlacedRow<Row>>(text, [codes]);
    const value: (T | undefined)[] = codes.map(() => undefined);
    for (const row of rows) if (row.place !== null) value[row.place - 1] = make(codes[row.place - 1]!, row);
    return { version: rows[0]!.name, value };
  }

  return {
    latest: (codes) => ofCodes(READ.latest, codes, toObservation),
    coverage: (codes) =>
      ofCodes(READ.coverage, codes, (code, row: CoverageRow) => ({
        latest: toObservation(code, row),
        availableFrom: row.first as UtcMillis,
        // Sorted in JavaScript, because PostgreSQL sorts by UTF-8 bytes, which gives another order.
        providers: listedProviders((JSON.parse(row.providers) as readonly string[]).map(fromStored)),
      })),
    async lastOfEach(code, edges) {
      const spans = [edges.slice(0, -1), edges.slice(1)];
      const rows = await query<PlacedRow<ObservationRow>>(READ.lastOfEach, [toStored(code), ...spans]);
      return {
        version: rows[0]!.name,
        value: rows.flatMap((row) => (row.place === null ? [] : [toObservation(code, row)])),
      };
    },
    async candles(code, window, widthMs) {
      const [row] = await query<CandlesRow>(candlesSql(widthMs), [toStored(code), window.from, window.to, widthMs]);
      return { version: row!.name, value: candleRange(row!, widthMs) };
    },
    async version(codes) {
      const [row] = await query<{ name: string }>(READ.version, [codes ?? null]);
      return row!.name;
    },
  };
}

type SixNumbers = [number, number, number, number, number, number];

function candleRange(row: CandlesRow, widthMs: number): CandleRange {
  const numbers = JSON.parse(`[${row.candles ?? ""}]`) as readonly number[];
  const candles = Array.from({ length: numbers.length / 6 }, (_, i): Candle => {
    const [start, open, high, low, close, observationCount] = numbers.slice(6 * i, 6 * i + 6) as SixNumbers;
    return { start: start as UtcMillis, end: (start + widthMs) as UtcMillis, open, high, low, close, observationCount };
  });
  return { candles, availableFrom: (row.first ?? undefined) as UtcMillis | undefined };
}

/** A subquery for the version of the assets that fulfil `condition`. */
const stateOf = (condition: string): string => `(SELECT ${versionSql(condition)} AS name) AS state`;
const STATE = stateOf(ONE_OF_CODES);
const STATE_OF_ONE = stateOf("code = $1::text");
const bucket = (order: string, column: string): string =>
  `CROSS JOIN LATERAL (SELECT ${column} FROM mazaneh.rollup r WHERE r.asset = a.id ORDER BY r.start ${order} LIMIT 1) AS ${column}`;
const LATEST = `unnest($1::text::text[]) WITH ORDINALITY AS asked (code, place) JOIN mazaneh.assets a ON a.code = asked.code
  ${bucket("DESC", "last_time")} JOIN mazaneh.observations o ON o.asset = a.id AND o.business_time = last_time.last_time`;

/** The statements that read observations. */
const READ = {
  latest: `SELECT name, found.* FROM ${STATE} LEFT JOIN (SELECT asked.place, ${OBSERVATION} FROM ${LATEST}) AS found ON true`,
  coverage: `SELECT name, found.* FROM ${STATE} LEFT JOIN (
  SELECT asked.place, ${OBSERVATION}, first_time.first_time AS first,
    (SELECT COALESCE(json_agg(provider), '[]')::text FROM (
      SELECT provider FROM mazaneh.providers p WHERE p.asset = a.id AND p.count > 0 ORDER BY provider LIMIT 21
    ) AS first) AS providers
  FROM ${LATEST} ${bucket("ASC", "first_time")}
) AS found ON true`,
  lastOfEach: `SELECT name, found.* FROM ${STATE_OF_ONE} LEFT JOIN (
  SELECT spans.place, ${OBSERVATION}
  FROM mazaneh.assets a CROSS JOIN unnest($2::text::bigint[], $3::text::bigint[]) WITH ORDINALITY AS spans (start, stop, place)
  CROSS JOIN LATERAL (
    SELECT * FROM mazaneh.observations s WHERE s.asset = a.id AND s.business_time >= spans.start AND s.business_time < spans.stop AND s.quality = 0
    ORDER BY s.business_time DESC LIMIT 1
  ) AS o
  WHERE a.code = $1::text
) AS found ON true ORDER BY found.place`,
  version: `SELECT ${versionSql(`$1::text IS NULL OR ${ONE_OF_CODES}`)} AS name`,
};

/** The rows from which candles are made, by their width. The widest that fit into a candle come first: they are the fewest. */
const SOURCES: readonly (readonly [width: number, rows: string])[] = [
  ...WIDE_MS.toReversed().map(
    (width) => [width, `(SELECT * FROM mazaneh.wide_rollup WHERE width = ${width})`] as const,
  ),
  [BUCKET_MS, "mazaneh.rollup"],
  [
    1,
    "(SELECT asset, business_time AS start, 1 AS count, value AS open, value AS high, value AS low, value AS close FROM mazaneh.observations WHERE quality = 0)",
  ],
];

/** The statement that makes candles: code `$1`, from `$2` to `$3`, width `$4`. */
function candlesSql(widthMs: number): string {
  const [width, rows] = SOURCES.find(([width]) => widthMs % width === 0)!;
  const [from, wide] = ["$2::float8::bigint", "$4::float8::bigint"];
  const within = `FROM ${rows} AS rows WHERE rows.asset = a.id AND rows.start >= ${from} AND rows.start < $3::float8::bigint`;
  // The first and the last value are found as pairs of time and value, without sorting.
  const folded = `SELECT ${from} + nth * ${wide} AS start, (min(ARRAY[start::float8, open]))[2] AS open, max(high) AS high, min(low) AS low,
      (max(ARRAY[start::float8, close]))[2] AS close, sum(count) AS count
    FROM (SELECT rows.*, (start - ${from}) / ${wide} AS nth ${within} OFFSET 0) AS placed
    GROUP BY nth`;
  return `
SELECT name, first_time AS first, candles
FROM ${STATE_OF_ONE}
LEFT JOIN mazaneh.assets a ON a.code = $1::text
LEFT JOIN LATERAL (SELECT first_time FROM mazaneh.rollup r WHERE r.asset = a.id ORDER BY r.start LIMIT 1) AS first ON true
LEFT JOIN LATERAL (
  SELECT string_agg(concat_ws(',', start, open, high, low, close, count), ',' ORDER BY start) AS candles
  FROM (${width === widthMs ? `SELECT rows.*, ${wide} AS wide ${within}` : folded}) AS made
) AS found ON true`;
}
