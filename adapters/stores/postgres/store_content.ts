import type { AssetCode, Observation } from "../../../core/mod.ts";
import type { Import } from "../shared/imports.ts";
import type { DayUsage } from "../shared/store.ts";
import type { StoreContent } from "../shared/store_copying.ts";
import { readBook } from "./accounts.ts";
import type { Connection, Query } from "./connection.ts";
import { fromStored } from "./escape_text.ts";
import { readImports } from "./imports_table.ts";
import { type ObservationRow, observationColumns, toObservation } from "./observation_rows.ts";
import { postgresQuota } from "./quota.ts";
import { recordsWithin } from "./read_all_records.ts";
import type { Schema } from "./schema.ts";

const PAGE_ROWS = 10_000;

/** Calls `use` with all that the database holds, as it is at one moment. Servers go on meanwhile. */
export function withPostgresContent<T>(
  { reading }: Pick<Connection, "reading">,
  schema: Schema,
  use: (content: StoreContent) => Promise<T>,
): Promise<T> {
  return reading(async (query) => use(await contentOf(query, schema)));
}

async function contentOf(query: Query, schema: Schema): Promise<StoreContent> {
  const usage: DayUsage[] = [];
  for await (const day of postgresQuota({ query }, schema).usage()) usage.push(day);
  const imports = (await readImports(query, schema.sql)).toReversed().map(({ imported }) => imported);
  const shared = await sharedTimes(query, schema.sql);
  return {
    records: () => recordsWithin(query, schema),
    book: await readBook(query, schema),
    usage,
    imports: imports.filter(({ id }) => !shared.has(id)),
    leftOut: [...shared],
    before: (imported) => readBefore(query, schema.sql, imported),
  };
}

/**
 * The imports whose insert time another record has, by a clock that was behind: elsewhere an import is known by its time
 * alone, so its undo would touch that record. They are left out; their records are not.
 */
async function sharedTimes(query: Query, schema: string): Promise<ReadonlySet<number>> {
  const rows = await query<{ id: number }>(
    `SELECT DISTINCT imports.id FROM ${schema}.imports JOIN ${schema}.observations AS held ON held.insert_time = imports.time AND held.import IS DISTINCT FROM imports.id ORDER BY imports.id`,
    [],
  );
  return new Set(rows.map(({ id }) => id));
}

async function* readBefore(query: Query, schema: string, { id }: Import): AsyncGenerator<Observation> {
  const text = `SELECT asset, code, ${observationColumns("noted")} FROM ${schema}.undo_records AS noted JOIN ${schema}.assets ON assets.id = asset
WHERE by_import = $1::int AND (asset, business_time) > ($2::int, $3::float8::bigint) ORDER BY asset, business_time LIMIT ${PAGE_ROWS}`;
  let last = { asset: 0, time: 0 };
  for (;;) {
    const rows = await query<ObservationRow & { asset: number; code: string }>(text, [id, last.asset, last.time]);
    for (const { asset: _, code, ...row } of rows) yield toObservation(fromStored(code) as AssetCode, row);
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1)!;
  }
}
