import { after } from "node:test";
import { migrate, openPostgres } from "../../../adapters/postgres/mod.ts";
import type { PostgresStore } from "../../../adapters/postgres/mod.ts";
import { systemClock as clock } from "../../../adapters/system.ts";
import { POSTGRES_CLIENTS } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { observationsSuite } from "../../support/store_suite.ts";

const server = await startPostgres();
if (!server) skipAloud("observations on PostgreSQL", postgresMissing);
const url = await server?.database();
let made = 0;

for (const [name, connect] of server ? POSTGRES_CLIENTS : []) {
  const own = connect(url!);
  const other = connect(url!);
  after(async () => Promise.all([own.close(), other.close()]));

  observationsSuite(`observations on PostgreSQL through ${name}`, async () => {
    const schema = `suite ${++made}`;
    await migrate(own.client, { schema });
    const stores: PostgresStore[] = [];
    const open = async (client = own.client): Promise<PostgresStore["observations"]> => {
      const store = await openPostgres(client, { clock, schema, follow: false });
      stores.push(store);
      return store.observations;
    };
    return {
      store: await open(),
      reopen: () => open(),
      peer: () => open(other.client),
      close: async () => void (await Promise.all(stores.map((store) => store.close()))),
    };
  }, { shared: true });
}
