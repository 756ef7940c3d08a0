import assert from "node:assert/strict";
import { test } from "node:test";
import { createRetryingStore } from "../../adapters/cli/import/retrying_store.ts";
import type { StoreAccess } from "../../adapters/stores/shared/engine.ts";
import { ConnectionLost } from "../../adapters/stores/shared/store_error.ts";
import { Unavailable } from "../../core/mod.ts";
import { createMemoryEngine } from "../support/memory_engine.ts";
import { observed } from "../support/store_suite.ts";

const batch = [observed(1, 1)];
const never = new Promise<void>(() => undefined);

/** A store whose first appends throw these errors. */
async function storeThatThrows(...errors: readonly Error[]): Promise<StoreAccess> {
  const store = await createMemoryEngine().reach();
  const waiting = [...errors];
  return {
    ...store,
    async append(records) {
      const error = waiting.shift();
      if (error) throw error;
      return store.append(records);
    },
  };
}

test("feed: waits for a store that cannot be reached, sends again what was lost with a connection, and says so once", async () => {
  const store = await storeThatThrows(new ConnectionLost("read ECONNRESET"));
  const ways = [undefined, undefined, store, store];
  const notes: string[] = [];
  const feed = createRetryingStore(
    { name: "postgres://db/market", connect: async () => ways.shift() },
    { note: (line) => notes.push(line), stop: never },
  );
  assert.deepEqual(await feed.append(batch), { accepted: 1, replaced: 0, unchanged: 0 });
  assert.deepEqual(await feed.append(batch), { accepted: 0, replaced: 0, unchanged: 1 });
  await feed.close();
  assert.equal(ways.length, 0);
  assert.deepEqual(
    notes.filter((line) => line.startsWith("Waiting")),
    ['Waiting for a server on "postgres://db/market". What was acknowledged is stored.'],
  );
});

test("feed: a store that can be reached and refuses ends the feed, with its reason", async () => {
  const refusing = await storeThatThrows(new Unavailable("The disk is full"));
  const feed = createRetryingStore(
    { name: "store", connect: async () => refusing },
    { note: assert.fail, stop: never },
  );
  await assert.rejects(async () => feed.append(batch), { message: "The disk is full" });
  await feed.close();
});
