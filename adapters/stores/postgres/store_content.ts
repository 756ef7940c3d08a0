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
import { inPages, PAGE_ROWS, recordsWithin } from "./read_all_records.ts";
import type { Schema } from "./schema.ts";

/** Calls `use` with the content of the database at a single moment. Servers can keep working meanwhile. */
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
  type Row = RecordRow & {
    readonly asset: number;
    readonly code: string;
    readonly lane: string;
    readonly taken: boolean;
  };
  const pages = inPages<Row>((last) => query(text, [id, last?.asset ?? 0, last?.time ?? 0, last?.lane ?? ""]));
  for await (const rows of pages)
    for (const { code, taken: isTaken, ...row } of rows)
      yield { ...toRecord(fromStored(code) as AssetCode, row), ...(isTaken && { isTaken }) };
}
