import { accountTables } from "./tables_accounts.ts";
import { importTables } from "./tables_acts.ts";
import { marketTables } from "./tables_market.ts";

/** Schema 1: all tables. */
export function first(schema: string): string {
  return marketTables(schema) + accountTables(schema) + importTables(schema);
}
