import { type AssetCode, type Observation, QUALITY_STATUSES } from "../../../core/mod.ts";
import type { AssetOrder } from "../shared/engine.ts";
import { assetIds } from "./asset_locks.ts";
import { BY_KEY, type Connection, type Query } from "./connection.ts";
import { RECORD, type RecordRow, toObservation } from "./observation_rows.ts";

/** Rows of a page. */
export const PAGE_ROWS = 2_000;

/** Reads all observations as of one moment, by asset, status and business time. Occupies a connection until the end. */
export async function* readRecords(
  connection: Pick<Connection, "beginReading">,
  order?: AssetOrder,
): AsyncGenerator<Observation> {
  const { query, end } = await connection.beginReading();
  let failure: unknown;
  try {
    yield* readWithin(query, { order, make: toObservation });
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    await end(failure);
  }
}

/** Reads all observations within a transaction, each as the result of `make`. */
export async function* readWithin<T>(
  query: Query,
  { order, make }: { readonly order?: AssetOrder | undefined; make(code: AssetCode, row: RecordRow): T },
): AsyncGenerator<T> {
  await query(BY_KEY);
  const ids = await assetIds(query);
  const { first, others } = order ?? { first: [], others: true };
  for (const code of new Set([...first.filter((code) => ids.has(code)), ...(others ? ids.keys() : [])])) {
    for (const [quality, status] of QUALITY_STATUSES.entries()) {
      const isPending = status === "PENDING";
      const key = isPending ? "business_time, source" : "business_time";
      // The quality is a literal, so that the index of rejected records is used.
      const text = `SELECT ${RECORD} FROM mazaneh.${isPending ? "pending" : "observations"}
  WHERE asset = $1::integer AND quality = ${quality} AND (${key}) > ($2::float8::bigint${isPending ? ", $3::text" : ""}) ORDER BY ${key} LIMIT ${PAGE_ROWS}`;
      const pages = inPages<RecordRow>((last) => {
        const time = last?.business_time ?? -Number.MAX_SAFE_INTEGER;
        return query(text, [ids.get(code)!, time, ...(isPending ? [last?.source ?? ""] : [])]);
      });
      for await (const rows of pages) for (const row of rows) yield make(code, row);
    }
  }
}

/** Pages of rows by key. `read` gets the last row before the page. The next page is always read in advance. */
export async function* inPages<Row>(
  read: (last: Row | undefined) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let next: Promise<readonly Row[]> | undefined = read(undefined);
  while (next) {
    const rows: readonly Row[] = await next;
    next = rows.length === PAGE_ROWS ? read(rows.at(-1)) : undefined;
    next?.catch(() => {}); // If the caller stops before this page, nothing else handles its error.
    yield rows;
  }
}
