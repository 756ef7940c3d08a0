import { createRedisQuota } from "../../../adapters/redis/mod.ts";
import { redisMissing, startRedis } from "../../support/redis_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { quotaSuite } from "../../support/store_suite.ts";
import { LIBRARIES, createOpener } from "./clients.ts";

const redis = await startRedis();

if (!redis) skipAloud("the suite of ledgers on Redis", redisMissing);
else {
  const { connect, ledger, prefix } = createOpener(() => redis.port);
  for (const [library, other] of [LIBRARIES, LIBRARIES.toReversed()] as const) {
    quotaSuite(`redis ledger, ${library}`, async () => {
      const own = { prefix: prefix() };
      return {
        store: await ledger(library!, own),
        peer: async () => createRedisQuota((await connect(other!)).client, own),
        reopen: async () => createRedisQuota((await connect(library!)).client, own),
      };
    }, { shared: true });
  }
}
