import type { AssetCode } from "../../../core/mod.ts";
import type { Import } from "../shared/imports.ts";
import type { DayUsage } from "../shared/store.ts";
import type { ReplacedRecord, StoreContent } from "../shared/store_copying.ts";
import { readBook } from "./accounts.ts";
import type { Connection, Query } from "./connection.ts";
import { fromStored } from "./escape_text.ts";
import { readImports } from "./imports_table.ts";
import { RECORD, type RecordRow, toRecord } from "./observation_rows.ts";
import { postgresQuota } from "./quota.ts";
import { inPages, PAGE_ROWS, readWithin } from "./read_all_records.ts";

/** Calls `use` with the content of the database at a single moment. Servers can keep working meanwhile. */
export function withPostgresContent<T>(
  { reading }: Pick<Connection, "reading">,
  use: (content: StoreContent) => Promise<T>,
): Promise<T> {
  return reading(async (query) => {
    const usage: DayUsage[] = [];
    for await (const day of postgresQuota({ query }).usage()) usage.push(day);
    const imports = (await readImports(query)).toReversed().map(({ imported }) => imported);
    return use({
      records: () => readWithin(query, { make: toRecord }),
      book: await readBook(query),
      usage,
      imports,
      before: (imported) => readBefore(query, imported),
    });
  });
}

async function* readBefore(query: Query, { id }: Import): AsyncGenerator<ReplacedRecord> {
  const text = `SELECT asset, code, ${RECORD}, lane, taken FROM mazaneh.undo_records JOIN mazaneh.assets ON assets.id = asset
WHERE by_import = $1::int AND (asset, business_time, lane) > ($2::int, $3::float8::bigint, $4::text) ORDER BY asset, business_time, lane LIMIT ${PAGE_ROWS}`;
  type Row = RecordRow & {
    readonly asset: number;
    readonly code: string;
    readonly lane: string;
    readonly taken: boolean;
  };
  const pages = inPages<Row>((last) => query(text, [id, last?.asset ?? 0, last?.business_time ?? 0, last?.lane ?? ""]));
  for await (const rows of pages)
    for (const { code, taken: isTaken, ...row } of rows)
      yield { ...toRecord(fromStored(code) as AssetCode, row), ...(isTaken && { isTaken }) };
}
