import type { AssetCode } from "../../../core/mod.ts";
import type { Import } from "../shared/imports.ts";
import type { DayUsage } from "../shared/store.ts";
import type { ReplacedRecord, StoreContent } from "../shared/store_copying.ts";
import { readBook } from "./accounts.ts";
import type { Connection, Query } from "./connection.ts";
import { fromStored } from "./escape_text.ts";
import { readImports } from "./imports_table.ts";
import { type RecordRow, recordColumns, toRecord } from "./observation_rows.ts";
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
  return {
    records: () => recordsWithin(query, schema),
    book: await readBook(query, schema),
    usage,
    imports,
    before: (imported) => readBefore(query, schema.sql, imported),
  };
}

async function* readBefore(query: Query, schema: string, { id }: Import): AsyncGenerator<ReplacedRecord> {
  const text = `SELECT asset, code, ${recordColumns("noted")}, lane, taken FROM ${schema}.undo_records AS noted JOIN ${schema}.assets ON assets.id = asset
WHERE by_import = $1::int AND (asset, business_time, lane) > ($2::int, $3::float8::bigint, $4::text) ORDER BY asset, business_time, lane LIMIT ${PAGE_ROWS}`;
  let last = { asset: 0, time: 0, lane: "" };
  for (;;) {
    const values = [id, last.asset, last.time, last.lane];
    const rows = await query<RecordRow & { asset: number; code: string; lane: string; taken: boolean }>(text, values);
    for (const { asset: _, code, lane: __, taken: isTaken, ...row } of rows)
      yield { ...toRecord(fromStored(code) as AssetCode, row), ...(isTaken && { isTaken }) };
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1)!;
  }
}
