import { accountTables } from "./tables_accounts.ts";
import { actTables } from "./tables_acts.ts";
import { marketTables } from "./tables_market.ts";

/** Schema 1: all tables. */
export function first(schema: string): string {
  return marketTables(schema) + accountTables(schema) + actTables(schema);
}
