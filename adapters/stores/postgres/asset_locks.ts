import type { AssetCode, ObservationKey } from "../../../core/mod.ts";
import type { Query } from "./connection.ts";
import { fromStored } from "./escape_text.ts";
import { ONE_OF_CODES } from "./store_state.ts";

/** The ids of assets by code. */
export type AssetIds = ReadonlyMap<AssetCode, number>;

/** The ids of all assets, or of those with these codes, in the order of their creation. May also lock them. */
export async function assetIds(
  query: Query,
  codes?: readonly AssetCode[],
  lock: "FOR UPDATE" | "" = "",
): Promise<AssetIds> {
  const text = `SELECT id, code FROM mazaneh.assets WHERE $1::text IS NULL OR ${ONE_OF_CODES} ORDER BY id ${lock}`;
  const rows = await query<{ id: number; code: string }>(text, [codes ?? null]);
  return new Map(rows.map(({ id, code }) => [fromStored(code) as AssetCode, id]));
}

/**
 * Locks assets for the rest of a transaction. Creates missing assets. All writers create assets before they lock any,
 * and lock them in ascending order of their ids, so no two writers wait for each other.
 *
 * @param codes Distinct codes; new assets get their numbers in this order.
 */
export async function lockForAppend(query: Query, codes: readonly AssetCode[]): Promise<AssetIds> {
  const known = await assetIds(query, codes);
  const missing = codes.filter((code) => !known.has(code));
  if (missing.length > 0) {
    await query("SELECT pg_advisory_xact_lock(hashtext('mazaneh.'), 1)", []);
    await query(
      "INSERT INTO mazaneh.assets (code) SELECT code FROM unnest($1::text::text[]) WITH ORDINALITY AS new (code, place) ORDER BY place ON CONFLICT DO NOTHING",
      [missing],
    );
  }
  return assetIds(query, codes, "FOR UPDATE");
}

/** The id of each row's asset. */
export function assetsOf(rows: readonly Pick<ObservationKey, "code">[], assets: AssetIds): readonly number[] {
  return rows.map(({ code }) => assets.get(code)!);
}
