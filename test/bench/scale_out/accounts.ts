// Makes accounts with many units in a database, and prints their keys. The program itself would take minutes.
import pg from "pg";
import { webSystem } from "../../../adapters/http/web_system.ts";
import { openPostgres } from "../../../adapters/stores/postgres/mod.ts";
import { type AccountChange, type AccountId, issueKey } from "../../../core/mod.ts";
import { MANY_UNITS } from "../support/market.ts";

const [, , url, count] = process.argv;
const pool = new pg.Pool({ connectionString: url });
const { accounts, close } = await openPostgres(pool, { clock: webSystem.clock, follow: false });
const changes: AccountChange[] = [
  { op: "plan.patch", name: "many", dailyUnits: MANY_UNITS, attributionRequired: false },
];
const keys: string[] = [];
for (let n = 0; n < Number(count); n++) {
  const { key, entry } = await issueKey(webSystem, {
    accountId: `many-${n}` as AccountId,
    createdAt: webSystem.clock(),
  });
  keys.push(key);
  changes.push({ op: "key.create", entry, plan: "many" });
}
await accounts.update(changes);
console.log(JSON.stringify(keys));
await close();
await pool.end();
