import assert from "node:assert/strict";
import { after, test } from "node:test";
import { postgresAccounts } from "../../../adapters/postgres/accounts.ts";
import { connectionOf } from "../../../adapters/postgres/connection.ts";
import type { Connection } from "../../../adapters/postgres/connection.ts";
import { databaseStateReader } from "../../../adapters/postgres/database_state.ts";
import { BOUND_MS, follow } from "../../../adapters/postgres/follow.ts";
import { migrate } from "../../../adapters/postgres/migrations/migrate.ts";
import { noteWrites } from "../../../adapters/postgres/note_writes.ts";
import { schemaOf } from "../../../adapters/postgres/schema.ts";
import type { AccountChange, AccountId, KeyEntry, KeyId, UtcMillis } from "../../../core/mod.ts";
import { databasesOf } from "../../support/postgres_clients.ts";
import { postgresMissing, startPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { until } from "../../support/until.ts";

const server = await startPostgres();
if (!server) skipAloud("accounts on PostgreSQL", postgresMissing);

const SCHEMA = schemaOf("mazaneh");
const NOW = Date.parse("2026-11-22T00:00:00Z") as UtcMillis;

function keyOf(id: string, more: Partial<KeyEntry> = {}): AccountChange {
  const entry = { id: id as KeyId, accountId: "alice" as AccountId, digest: "0f".repeat(32), createdAt: NOW, expiresAt: null, revokedAt: null, note: "" };
  return { op: "key.create", entry: { ...entry, ...more } };
}

function revocationOf(id: string): AccountChange {
  return { op: "key.revoke", id: id as KeyId, at: NOW };
}

/** A connection that counts the statements outside transactions. */
function counted(connection: Connection): Connection & { count: number } {
  let count = 0;
  const query: Connection["query"] = (text, values) => {
    count++;
    return connection.query(text, values);
  };
  return { ...connection, query, get count() { return count; }, set count(n) { count = n; } };
}

const databases = await databasesOf(server, migrate);

for (const { name, connect, url } of databases) {
  const [here, there] = [connect(url), connect(url)];
  after(() => Promise.all([here.close(), there.close()]));
  const [connection, elsewhere] = [counted(connectionOf(here.client)), connectionOf(there.client)];
  const accounts = postgresAccounts(connection, SCHEMA, undefined);
  const others = postgresAccounts(elsewhere, SCHEMA, undefined);
  const versionNow = async (): Promise<number> => (await elsewhere.query<{ version: number }>(`SELECT version::float8 AS version FROM ${SCHEMA.sql}.book`, []))[0]!.version;

  test(`accounts, ${name}: texts come back as they were, with characters that the database does not store`, async () => {
    const note = 'نوت "\\" \\u0000 \0 😀 \ud800 \udc00\ud800 \u2028 {}';
    await accounts.update([keyOf("text0001", { note })]);
    assert.equal((await others.find("text0001" as KeyId))?.key.note, note);
    assert.equal((await others.book()).keys.find(({ id }) => id === "text0001")?.note, note);
    assert.equal(await others.find("\0\ud800'\\" as KeyId), undefined);
  });

  test(`accounts, ${name}: a key is found with one statement`, async () => {
    await accounts.update([keyOf("one00001")]);
    connection.count = 0;
    assert.equal((await accounts.find("one00001" as KeyId))?.account.plan, "FREE_STARTER");
    assert.equal(connection.count, 1);
  });

  test(`accounts, ${name}: a change that is sent again changes nothing, not even the version`, async () => {
    const changes: AccountChange[] = [{ op: "plan.patch", name: "PRO", dailyUnits: null, attributionRequired: false }, keyOf("twice001"), revocationOf("twice001")];
    const book = await accounts.update(changes);
    const version = await versionNow();
    assert.deepEqual(await others.update(changes), book);
    assert.equal(await versionNow(), version);
  });

  test(`accounts, ${name}: the book keeps its order, and changes of two handles see each other`, async () => {
    const before = (await accounts.book()).keys.map(({ id }) => id);
    const ids = Array.from({ length: 20 }, (_, n) => `order${100 + n}`);
    await Promise.all(ids.map((id, n) => (n % 2 ? accounts : others).update([keyOf(id)])));
    const after = (await others.book()).keys.map(({ id }) => id);
    assert.deepEqual([after.slice(0, before.length), after.slice(before.length).sort()], [before, ids]);
    await accounts.update([revocationOf(after[0]!)]);
    assert.deepEqual((await others.book()).keys.map(({ id }) => id), after);
  });

  test(`accounts, ${name}: while nobody listens, a revocation is in force elsewhere at once`, async () => {
    await accounts.update([keyOf("atonce01")]);
    assert.equal((await others.find("atonce01" as KeyId))?.key.revokedAt, null);
    await accounts.update([revocationOf("atonce01")]);
    assert.equal((await others.find("atonce01" as KeyId))?.key.revokedAt, NOW);
  });

  test(`accounts, ${name}: with a follower a key costs no statement, and a revocation elsewhere is in force within the bound`, async (context) => {
    const follower = follow({ connection, channel: SCHEMA.channel, readState: databaseStateReader(SCHEMA) });
    const followed = postgresAccounts(connection, SCHEMA, follower);
    const delays: number[] = [];
    try {
      for (let n = 0; n < 20; n++) {
        const id = `follow${10 + n}` as KeyId;
        const isRevoked = async (): Promise<boolean> => (await followed.find(id))?.key.revokedAt !== null;
        assert.equal(await followed.find(id), undefined, "so that its absence is in memory");
        await others.update([keyOf(id)]);
        await until("the key is known", async () => (await followed.find(id)) !== undefined);
        await until("the key costs no statement", async () => {
          const before = connection.count;
          return !(await isRevoked()) && connection.count === before;
        });
        await others.update([revocationOf(id)]);
        const revokedAt = performance.now();
        await until("the key is refused", async () => {
          const askedAt = performance.now();
          const isGone = await isRevoked();
          assert.ok(isGone || askedAt - revokedAt < BOUND_MS, "served after the bound");
          return isGone;
        });
        delays.push(performance.now() - revokedAt);
      }
      delays.sort((a, b) => a - b);
      context.diagnostic(`a revocation was in force elsewhere after ${delays[10]!.toFixed(1)} ms in the median, ${delays.at(-1)!.toFixed(1)} ms at most`);
    } finally {
      await follower.close();
    }
  });

  test(`accounts, ${name}: a change of one's own is in force at once, also with a follower`, async () => {
    const follower = follow({ connection, channel: SCHEMA.channel, readState: databaseStateReader(SCHEMA) });
    const followed = postgresAccounts(noteWrites(connection, follower), SCHEMA, follower);
    try {
      await until("it is current", follower.isCurrent);
      for (let n = 0; n < 20; n++) {
        const id = `own000${10 + n}` as KeyId;
        assert.equal(await followed.find(id), undefined);
        await followed.update([keyOf(id)]);
        assert.equal((await followed.find(id))?.key.revokedAt, null);
        await followed.update([revocationOf(id)]);
        assert.equal((await followed.find(id))?.key.revokedAt, NOW);
      }
    } finally {
      await follower.close();
    }
  });
}
