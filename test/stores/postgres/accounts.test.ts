// Tests of accounts that are specific to PostgreSQL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { postgresAccounts } from "../../../adapters/stores/postgres/accounts.ts";
import { type Connection, connectionOf, type Query } from "../../../adapters/stores/postgres/connection.ts";
import { follow, noteWrites } from "../../../adapters/stores/postgres/follow_changes.ts";
import { readState } from "../../../adapters/stores/postgres/store_state.ts";
import type { AccountChange, AccountId, KeyEntry, KeyId, UtcMillis } from "../../../core/mod.ts";
import { databaseWithTables, poolOf } from "../../support/postgres_clients.ts";
import { postgresMissing, sharedPostgres } from "../../support/postgres_server.ts";
import { skipAloud } from "../../support/skip_aloud.ts";
import { until } from "../../support/wait_until.ts";

const NOW = 1_800_000_000_000 as UtcMillis;

function keyOf(id: string, { note = "", account = "alice" } = {}): AccountChange {
  const entry: KeyEntry = {
    ...{ id: id as KeyId, accountId: account as AccountId, digest: "0f".repeat(32), note },
    ...{ createdAt: NOW, expiresAt: null, revokedAt: null },
  };
  return { op: "key.create", entry };
}

function revocationOf(id: string): AccountChange {
  return { op: "key.revoke", id, at: NOW };
}

const server = await sharedPostgres();
if (!server) skipAloud("accounts on PostgreSQL", postgresMissing);
else {
  const { pool, url } = await databaseWithTables(server);
  let sent: string[] = [];
  const plain = connectionOf(pool);
  /** Records the rows that the statements of `query` return. */
  const noting =
    (query: Query): Query =>
    async (text, values) => {
      const rows = await query<never>(text, values);
      sent.push(JSON.stringify(rows));
      return rows;
    };
  const connection: Connection = {
    ...plain,
    query: noting(plain.query),
    transaction: (work) => plain.transaction((query) => work(noting(query))),
  };
  const elsewhere = connectionOf(poolOf(url));
  const accounts = postgresAccounts(connection, undefined);
  const others = postgresAccounts(elsewhere, undefined);
  const versionNow = async (): Promise<number> => (await readState(elsewhere.query)).book;

  test("accounts: texts are read back unchanged, even with characters that PostgreSQL rejects", async () => {
    const note = 'نوت "\\" \\u0000 \0 😀 \ud800 \udc00\ud800 \u2028 {}';
    await accounts.update([keyOf("text0001", { note })]);
    assert.equal((await others.find("text0001" as KeyId))?.key.note, note);
    assert.equal((await others.book()).keys.find(({ id }) => id === "text0001")?.note, note);
    assert.equal(await others.find("\0\ud800'\\" as KeyId), undefined);
  });

  test("accounts: a change reads only the entries that it names, and resolves to that part of the book", async () => {
    await others.update(Array.from({ length: 200 }, (_, n) => keyOf(`crowd${100 + n}`, { account: `crowd${n}` })));
    sent = [];
    const part = await accounts.update([
      keyOf("part0001", { account: "crowd7" }),
      revocationOf("crowd109"),
      { op: "account.patch", id: "crowd11", status: "DISABLED" },
    ]);
    const names = [...part.plans.map(({ name }) => name), ...[...part.accounts, ...part.keys].map(({ id }) => id)];
    assert.deepEqual(names, ["FREE_STARTER", "crowd7", "crowd9", "crowd11", "crowd109", "part0001"]);
    assert.equal(sent.join().match(/crowd1\d\d/g)?.length, 1, "no other key is read");
    assert.equal((await others.find("crowd109" as KeyId))?.key.revokedAt, NOW);
    assert.equal((await others.find("crowd111" as KeyId))?.account.status, "DISABLED");
    assert.equal((await others.book()).keys.at(-1)?.id, "part0001");
  });

  test("accounts: repeating a change has no effect, not even on the version", async () => {
    const changes: AccountChange[] = [
      { op: "plan.patch", name: "PRO", dailyUnits: null, attributionRequired: false },
      keyOf("twice001"),
      revocationOf("twice001"),
    ];
    const book = await accounts.update(changes);
    const version = await versionNow();
    assert.deepEqual(await others.update(changes), book);
    assert.equal(await versionNow(), version);
  });

  test("accounts: a store's own change is in force at once, even with a follower", async () => {
    const follower = follow(() => readState(plain.query));
    const followed = postgresAccounts(noteWrites(plain, follower), follower);
    try {
      await until("it is current", follower.isCurrent);
      for (let n = 0; n < 10; n++) {
        const id = `own000${10 + n}` as KeyId;
        assert.equal(await followed.find(id), undefined);
        await followed.update([keyOf(id)]);
        assert.equal((await followed.find(id))?.key.revokedAt, null);
        await followed.update([revocationOf(id)]);
        assert.equal((await followed.find(id))?.key.revokedAt, NOW);
      }
    } finally {
      follower.close();
    }
  });
}
