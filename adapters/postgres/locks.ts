import type { Query } from "./connection.ts";
import type { Schema } from "./schema.ts";
import { ONE_OF_CODES } from "./store_id.ts";
import { textArray } from "./text.ts";

/** An asset whose observations this transaction alone may change. */
export interface LockedAsset {
  readonly id: number;
  /** As it is stored. */
  readonly code: string;
}

/**
 * Locks assets for the rest of a transaction, those without a record yet too. All writers lock in ascending order, and
 * make new assets before they lock any, so that no two wait for each other.
 *
 * @param codes As they are stored, each once; new assets get their numbers in this order.
 */
export async function lockForAppend(query: Query, schema: Schema, codes: readonly string[]): Promise<readonly LockedAsset[]> {
  const asked = textArray(codes);
  const known = new Set((await query<{ code: string }>(`SELECT code FROM ${schema.sql}.assets WHERE ${ONE_OF_CODES}`, [asked])).map(({ code }) => code));
  const missing = codes.filter((code) => !known.has(code));
  if (missing.length > 0) {
    await query("SELECT pg_advisory_xact_lock(hashtext($1::text), 1)", [schema.channel]);
    await query(`INSERT INTO ${schema.sql}.assets (code) SELECT code FROM unnest($1::text::text[]) WITH ORDINALITY AS new (code, place) ORDER BY place ON CONFLICT DO NOTHING`, [textArray(missing)]);
  }
  return lockAssets(query, schema, codes);
}

/** Locks those of the assets that are there. */
export async function lockAssets(query: Query, schema: Schema, codes: readonly string[]): Promise<readonly LockedAsset[]> {
  return query<LockedAsset>(`SELECT id, code FROM ${schema.sql}.assets WHERE ${ONE_OF_CODES} ORDER BY id FOR UPDATE`, [textArray(codes)]);
}

/** Locks all assets there are. */
export async function lockAllAssets(query: Query, schema: Schema): Promise<readonly LockedAsset[]> {
  return query<LockedAsset>(`SELECT id, code FROM ${schema.sql}.assets ORDER BY id FOR UPDATE`, []);
}

/** The ids of rows by the places of their codes, as an array of SQL; 0 for those without an asset. */
export function idsOf(places: readonly number[], codes: readonly string[], assets: readonly LockedAsset[]): string {
  const ofCode = new Map(assets.map(({ id, code }) => [code, id]));
  const ids = codes.map((code) => ofCode.get(code) ?? 0);
  return `{${places.map((place) => ids[place]).join(",")}}`;
}
