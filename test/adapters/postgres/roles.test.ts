import assert from "node:assert/strict";
import { after, test } from "node:test";
import { connectionOf } from "../../../adapters/postgres/connection.ts";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import { systemClock as clock } from "../../../adapters/system.ts";
import { Unavailable } from "../../../core/mod.ts";
import type { AssetCode } from "../../../core/mod.ts";
import { at, observation } from "../../support/generators.ts";
import { databasesOf } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";

const server = await startPostgres();
if (!server) skipAloud("roles of PostgreSQL", postgresMissing);
const databases = await databasesOf(server);
const CODE = "BTC_USD" as AssetCode;

for (const { name, connect, url } of databases) {
  test(`roles, ${name}: what migrate grants is enough to read and write, and too little to change a table`, async () => {
    const owner = connect(url);
    const role = `server of "${name}"`;
    await connectionOf(owner.client).query(`CREATE ROLE ${JSON.stringify(role).replaceAll('\\"', '""')} LOGIN; REVOKE ALL ON SCHEMA public FROM PUBLIC; REVOKE TEMP ON DATABASE ${new URL(url).pathname.slice(1)} FROM PUBLIC`);
    await migrate(owner.client, { grantTo: role });
    const served = connect(url.replace("postgres@", `${encodeURIComponent(role)}@`));
    after(async () => Promise.all([owner.close(), served.close()]));
    const store = await openPostgres(served.client, { clock, follow: false });
    try {
      const { observations } = store;
      assert.deepEqual(await observations.append([observation({ businessTime: at(0), provider: "A" }), observation({ businessTime: at(1) })]), { accepted: 2, replaced: 0, unchanged: 0 });
      assert.equal(await observations.remove([{ code: CODE, businessTime: at(1) }]), 1);
      assert.equal((await observations.coverage([CODE])).value[0]?.latest.businessTime, 0);
      assert.equal(await observations.removeProvider("A"), 1);
      for await (const record of observations.records()) assert.fail(`${record.code} is left`);
    } finally {
      await store.close();
    }
    for (const statement of ["DROP TABLE mazaneh.observations", "CREATE TABLE mazaneh.more (n int)", "TRUNCATE mazaneh.observations", "ALTER TABLE mazaneh.assets ADD COLUMN n int"]) {
      await assert.rejects(connectionOf(served.client).query(statement), Unavailable, statement);
    }
  });

  test(`roles, ${name}: a search path with tables and functions of the same names changes nothing`, async () => {
    const hostile = connect(url);
    after(() => hostile.close());
    await connectionOf(hostile.client).query(`
      CREATE SCHEMA evil;
      CREATE TABLE evil.assets (id int, code text, version bigint);
      CREATE TABLE evil.observations (n int);
      CREATE TABLE evil.meta (version int);
      INSERT INTO evil.meta VALUES (99);
      CREATE FUNCTION evil.count(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT 42::bigint';
      ALTER ROLE postgres IN DATABASE ${new URL(url).pathname.slice(1)} SET search_path = evil, public`);
    const opened = connect(url);
    after(() => opened.close());
    assert.deepEqual(await migrate(opened.client), { from: 1, to: 1 });
    const { observations, close } = await openPostgres(opened.client, { clock, follow: false });
    await observations.append([observation({ businessTime: at(5), value: 7 })]);
    assert.equal((await observations.latest([CODE])).value[0]?.value, 7);
    await close();
  });
}
