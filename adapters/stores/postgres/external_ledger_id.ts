import { StoreError } from "../shared/store_error.ts";
import type { Query } from "./connection.ts";

/** Notes that units are counted outside the database, in the ledger with this id. */
export async function noteLedger(query: Query, id: string): Promise<void> {
  await query("UPDATE mazaneh.meta SET ledger = $1::text", [id]);
}

/** The id of the noted ledger, or `undefined` if units are counted in the database, or there are no tables yet. */
export async function notedLedger(query: Query): Promise<string | undefined> {
  const [table] = await query<{ there: boolean }>("SELECT to_regclass('mazaneh.meta') IS NOT NULL AS there", []);
  if (!table?.there) return undefined;
  const [meta] = await query<{ ledger: string | null }>("SELECT ledger FROM mazaneh.meta", []);
  return meta?.ledger ?? undefined;
}

/**
 * Throws a `StoreError` if units are counted elsewhere: with two ledgers, each account would have its units twice.
 *
 * @param id The id of the ledger in Redis that will be used, or `undefined` for the database itself.
 */
export async function demandLedger(query: Query, id: string | undefined): Promise<void> {
  const noted = await notedLedger(query);
  if (noted === id) return;
  let elsewhere =
    "another Redis, or in a lost ledger: use the other Redis, or run `mazaneh migrate --counters` with this one";
  if (id === undefined)
    elsewhere = "Redis: name it with --quota or MAZANEH_QUOTA. Counting here, too, would grant each unit twice";
  else if (noted === undefined)
    elsewhere = "its database, not in Redis: run `mazaneh migrate` with the same --quota first";
  throw new StoreError(`The units of this installation are counted in ${elsewhere}`, 78);
}
