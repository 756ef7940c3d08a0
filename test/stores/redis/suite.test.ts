import { createRedisQuota } from "../../../adapters/stores/redis/mod.ts";
import { redisMissing } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { quotaSuite } from "../../support/store_suite.ts";
import { createOpener, redis, timeoutMs } from "./clients.ts";

if (redisMissing !== undefined) skipAloud("the suite of ledgers on Redis", redisMissing);
else {
  const { connect, ledger, prefix } = createOpener(() => redis.port);
  quotaSuite(
    "redis ledger",
    async () => {
      const own = { prefix: prefix(), timeoutMs };
      const open = async () => createRedisQuota((await connect()).client, own);
      return { store: await ledger(own), peer: open, reopen: open };
    },
    { shared: true },
  );
}
