// What every store of accounts and every ledger does, on PostgreSQL, also through two handles.
import { after } from "node:test";
import { BOUND_MS } from "../../../adapters/postgres/follow.ts";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import type { PostgresStore } from "../../../adapters/postgres/mod.ts";
import { systemClock } from "../../../adapters/system.ts";
import { accountsSuite } from "../../support/store_suite/accounts.ts";
import { quotaSuite } from "../../support/store_suite/quota.ts";
import type { Opened } from "../../support/store_suite/suite.ts";
import { databasesOf } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";

const server = await startPostgres();
if (!server) skipAloud("accounts and quota on PostgreSQL", postgresMissing);
const databases = await databasesOf(server);
/** So long a slow machine may take to open and ask besides. */
const PATIENCE_MS = 10_000;

for (const { name, connect, url } of databases) {
  const [here, there] = [connect(url), connect(url)];
  after(() => Promise.all([here.close(), there.close()]));
  let schemas = 0;

  const opener = (follow: boolean) => async (): Promise<Opened<PostgresStore>> => {
    const opened: PostgresStore[] = [];
    const schema = `store_${++schemas}_${follow}`;
    const open = async ({ client }: typeof here): Promise<PostgresStore> => {
      const store = await openPostgres(client, { clock: systemClock, schema, follow });
      opened.push(store);
      return store;
    };
    await migrate(here.client, { schema });
    return {
      store: await open(here),
      reopen: () => open(here),
      peer: () => open(there),
      close: async () => void (await Promise.all(opened.map((store) => store.close()))),
    };
  };

  const port = <Name extends "accounts" | "quota">(which: Name, follow: boolean) => async (): Promise<Opened<PostgresStore[Name]>> => {
    const { store, reopen, peer, close } = await opener(follow)();
    return { store: store[which], reopen: async () => (await reopen!())[which], peer: async () => (await peer!())[which], close: close! };
  };

  accountsSuite(`postgres accounts, ${name}, asked each time`, port("accounts", false), { shared: true });
  accountsSuite(`postgres accounts, ${name}, followed`, port("accounts", true), { shared: true, eventuallyMs: BOUND_MS + PATIENCE_MS });
  quotaSuite(`postgres quota, ${name}`, port("quota", false), { shared: true });
}
