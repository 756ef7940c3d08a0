// The messages of commands if their database fails at the start, or later while they use it.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import pg from "pg";
import { mazaneh } from "../support/cli.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";

const PRICE = "code,value,businessTime\nUSD_RLS,1905000,2026-11-20T16:30:00Z\n";
const postgres = await startPostgres();

if (!postgres) {
  skipAloud("messages of commands whose database fails", postgresMissing);
} else {
  let store: string;
  let half: string;
  before(async () => {
    [store, half] = [await postgres.database(), await postgres.database()];
    for (const url of [store, half]) assert.equal((await mazaneh(["migrate", "--store", url])).code, 0);
    assert.equal((await mazaneh(["import", "-", "--store", store], { input: PRICE })).code, 0);
    await inDatabase(half, "DROP TABLE mazaneh.observations");
    await inDatabase(
      store,
      "CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA mazaneh TO reader; GRANT SELECT ON ALL TABLES IN SCHEMA mazaneh TO reader; CREATE ROLE crowded LOGIN CONNECTION LIMIT 0",
    );
  });

  const as = (role: string): string => store.replace("postgres@", `${role}@`);
  const withdraw = ["withdraw", "--code", "USD_RLS", "--from", "2026-11-20", "--to", "2026-11-21", "--reason", "x"];
  const reading: readonly (readonly string[])[] = [["export"], ["info"], ["get", "USD_RLS"], ["verify"]];
  const writing: readonly (readonly string[])[] = [
    ["keys", "create", "alice"],
    ["import", "-", "--yes"],
    ["imports", "undo", "1"],
    withdraw,
  ];

  const failures: readonly (readonly [
    rule: string,
    url: () => string,
    commands: readonly (readonly string[])[],
    code: number,
    message: RegExp,
  ])[] = [
    [
      "a role that may only read",
      () => as("reader"),
      writing,
      78,
      /permission denied for table \w+; ask the owner of the database for the right/,
    ],
    [
      "a missing table",
      () => half,
      [...reading, ["import", "-"], ["serve", "--port", "0"]],
      70,
      /relation "mazaneh\.observations" does not exist; this happens while a backup is restored: try again afterwards, or restore it again$/,
    ],
    [
      "a role without a free connection",
      () => as("crowded"),
      [
        ["keys", "list"],
        ["serve", "--port", "0"],
      ],
      70,
      /too many connections for role "crowded"; stop other programs, or allow more connections there$/,
    ],
  ];
  for (const [rule, url, commands, code, message] of failures) {
    for (const args of commands) {
      test(`failures of a database: ${rule}: ${args.slice(0, 2).join(" ")} ends with ${code} and advice`, async () => {
        const { code: found, err } = await mazaneh(args, {
          env: { MAZANEH_STORE: url(), PGPASSWORD: "" },
          input: PRICE,
        });
        const last = err.trim().split("\n").at(-1)!;
        assert.equal(found, code, err);
        assert.match(last, message);
      });
    }
  }

  test("failures of a database: refused commands have changed no data", async () => {
    const { out } = await mazaneh(["export", "--store", store]);
    assert.match(out, /^.*\nUSD_RLS,1905000,2026-11-20T16:30:00\.000Z,[^\n]*\n$/);
    assert.equal((await mazaneh(["keys", "list", "--store", store])).out, "There are no keys.\n");
  });

  test("failures of a database: a command waits for another program's lock as long as the URL says, then names it and ends with 70", async () => {
    const others = new pg.Client(store);
    await others.connect();
    try {
      await others.query("BEGIN; LOCK TABLE mazaneh.meta, mazaneh.book, mazaneh.observations IN ACCESS EXCLUSIVE MODE");
      for (const args of [
        ["keys", "create", "alice"],
        ["import", "-"],
        ["export"],
        ["migrate"],
        ["verify"],
        ["copy", "--from", "store", "--to", "never"],
      ]) {
        const { code, err } = await mazaneh(args, {
          env: { MAZANEH_STORE: `${store}?lock_timeout=200` },
          input: PRICE,
        });
        assert.equal(code, 70, err);
        assert.match(
          err,
          /^mazaneh: PostgreSQL is not available: canceling statement due to lock timeout; another program holds a lock there, /,
        );
        assert.match(err, /^.* holds a lock there, see the view pg_locks: try again when it has ended\n$/);
      }
    } finally {
      await others.end();
    }
    assert.equal((await mazaneh(["keys", "create", "alice", "--store", store])).code, 0);
  });
}

async function inDatabase(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
