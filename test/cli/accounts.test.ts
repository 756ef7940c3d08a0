import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Json } from "../support/api_under_test.ts";
import { mazaneh, serving, temporaryStore } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";

const KEY = /\bmz_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}\b/;
const NOW = "2026-11-21T10:00:00Z";

/** Runs commands on one data directory, at one time. */
async function office(t: TestContext): Promise<{
  data: string;
  run(...args: readonly string[]): Promise<{ code: number; out: string; err: string }>;
  json(...args: readonly string[]): Promise<Json>;
}> {
  const data = await temporaryStore(t);
  const run = (...args: readonly string[]): ReturnType<typeof program> =>
    program([...args, "--data", data], { now: NOW });
  return {
    data,
    run,
    async json(...args) {
      const { code, out, err } = await run(...args, "--json");
      assert.deepEqual([code, err], [0, ""]);
      return JSON.parse(out) as Json;
    },
  };
}

test("keys create: prints the key once, with its account, plan and end", async (t) => {
  const { run, json } = await office(t);
  const { code, out, err } = await run("keys", "create", "alice", "--note", "her phone", "--expires", "30d");
  assert.deepEqual([code, err], [0, ""]);
  const [key = ""] = KEY.exec(out) ?? [];
  assert.match(
    out,
    /^Key \w{8} of account alice, plan FREE_STARTER \(50 units a day\), until 2026-12-21T10:00:00\.000Z:\n\n {2}mz_live_\w+\n\nKeep it now/,
  );
  assert.match(out, /\w\n\nKeep it now: it cannot be shown again\. Send it as X-API-Key\.\n/);
  assert.match(
    out,
    /\nAn account has 50 units a day unless it is made with others: keys create NAME --units unlimited\n$/,
  );
  assert.deepEqual(await json("keys", "list"), {
    keys: [
      {
        id: key.slice(8, 16),
        account: "alice",
        state: "live",
        createdAt: "2026-11-21T10:00:00.000Z",
        expiresAt: "2026-12-21T10:00:00.000Z",
        revokedAt: null,
        note: "her phone",
        may: "read",
        codes: null,
        lastUsedOn: null,
      },
    ],
  });
});

test("keys create: --units makes the plan in the same step, which credits the source as the first plan does", async (t) => {
  const { run, json } = await office(t);
  const { out } = await run("keys", "create", "alice", "--units", "unlimited");
  assert.match(out, /^Key \w{8} of account alice, plan UNLIMITED \(no limit\), .*Send it as X-API-Key\.\n$/s);
  await json("plans", "set", "FREE_STARTER", "--attribution", "no");
  for (const account of ["bob", "carol"])
    assert.equal((await json("keys", "create", account, "--units", "1000"))["plan"], "UNITS_1000");
  const { plans } = await json("plans", "list");
  assert.deepEqual(plans, [
    { name: "FREE_STARTER", dailyUnits: 50, attributionRequired: false },
    { name: "UNLIMITED", dailyUnits: null, attributionRequired: true },
    { name: "UNITS_1000", dailyUnits: 1000, attributionRequired: false },
  ]);
  const wrong = [
    ["--units", "0"],
    ["--units", "many"],
    ["--units", "5", "--plan", "FREE_STARTER"],
  ];
  for (const args of wrong) assert.equal((await run("keys", "create", "dan", ...args)).code, 64, args.join(" "));
});

test("keys create: --may and --codes say what a key may do; keys list shows it, and keys roll keeps it", async (t) => {
  const { run, json } = await office(t);
  const { out } = await run("keys", "create", "collector", "--may", "write", "--codes", "USD_RLS, EUR_RLS,USD_RLS");
  assert.match(out, /, may write USD_RLS, EUR_RLS, without an end:\n/);
  assert.match((await run("keys", "list")).out, /collector {2}live {3}write USD_RLS, EUR_RLS {2}-/);
  const made = await json("keys", "create", "both", "--may", "read,write");
  assert.deepEqual([made["may"], made["codes"]], ["read,write", null]);
  const { id } = (await json("keys", "list"))["keys"]![0]!;
  const rolled = await json("keys", "roll", String(id));
  assert.deepEqual([rolled["may"], rolled["codes"]], ["write", ["USD_RLS", "EUR_RLS"]]);
  const wrong = [
    ["--may", "admin"],
    ["--may", "write,read"],
    ["--codes", "USD_RLS"],
    ["--may", "write", "--codes", "USD_RIAL"],
    ["--may", "write", "--codes", ""],
  ];
  for (const args of wrong) assert.equal((await run("keys", "create", "dan", ...args)).code, 64, args.join(" "));
});

test("keys create: a second key of an account keeps its plan; another plan is refused: 64", async (t) => {
  const { run, json } = await office(t);
  await json("plans", "set", "BIG", "--daily-units", "1000", "--attribution", "no");
  const first = await json("keys", "create", "alice", "--plan", "BIG");
  const second = await json("keys", "create", "alice");
  assert.deepEqual([first["plan"], second["plan"]], ["BIG", "BIG"]);
  assert.notEqual(first["key"], second["key"]);
  const { code, err } = await run("keys", "create", "alice", "--plan", "FREE_STARTER");
  assert.deepEqual(
    [code, err],
    [64, 'mazaneh: Cannot add a key of plan "FREE_STARTER" as account "alice" has the plan "BIG"; change that first\n'],
  );
});

const NO_KEY = /^mazaneh: There is no key with this ID; keys list shows them all\n$/;
const refusals: readonly (readonly [rule: string, args: readonly string[], message: RegExp])[] = [
  [
    "a plan that is not there",
    ["keys", "create", "bob", "--plan", "NONE"],
    /plan must be one of FREE_STARTER: received "NONE"/,
  ],
  ["a name that is none", ["keys", "create", "../bob"], /name must be 1 to 64 letters, .*: received "\.\.\/bob"/],
  [
    "an account that is not there",
    ["accounts", "set", "bob", "--status", "DISABLED"],
    /^mazaneh: Cannot change account "bob" as there is none of that name; its first key makes an account\n$/,
  ],
  [
    "a plan for an account that is not there",
    ["accounts", "set", "alice", "--plan", "NONE"],
    /plan must be one of FREE_STARTER: received "NONE"/,
  ],
  [
    "half of a new plan",
    ["plans", "set", "BIG", "--daily-units", "9"],
    /^mazaneh: Cannot change plan "BIG" as there is none of that name; a new plan needs its daily units and its attribution\n$/,
  ],
  ["a key that is not there", ["keys", "revoke", "abcdefgh"], NO_KEY],
  [
    "a key with a typing error, which is not repeated",
    ["keys", "revoke", `mz_live_abcdefgh_${"a".repeat(49)}`],
    NO_KEY,
  ],
];
for (const [rule, args, message] of refusals) {
  test(`${args.slice(0, 2).join(" ")}: ${rule} is refused with 64, and nothing is changed`, async (t) => {
    const { run, json } = await office(t);
    await json("keys", "create", "alice");
    const before = [await json("keys", "list"), await json("accounts", "list"), await json("plans", "list")];
    const { code, out, err } = await run(...args);
    assert.deepEqual([code, out], [64, ""]);
    assert.match(err, message);
    assert.deepEqual([await json("keys", "list"), await json("accounts", "list"), await json("plans", "list")], before);
  });
}

test("keys revoke: takes the ID or the whole key; again, it keeps the first time", async (t) => {
  const { run, json } = await office(t);
  const { id, key } = (await json("keys", "create", "alice")) as Json & { readonly id: string; readonly key: string };
  const revoked = await json("keys", "revoke", id);
  assert.deepEqual([revoked["state"], revoked["revokedAt"]], ["revoked", "2026-11-21T10:00:00.000Z"]);
  const { code, out } = await run("keys", "revoke", key);
  assert.deepEqual([code, out], [0, `Key ${id} of account alice is revoked.\n`]);
});

test("lists: people get a table, an empty one in words", async (t) => {
  const { run } = await office(t);
  assert.match(
    (await run("plans", "set", "FREE", "--daily-units", "unlimited", "--attribution", "no")).out,
    /^There is the plan FREE \(no limit\), no attribution required\.\n$/,
  );
  assert.equal((await run("keys", "list")).out, "There are no keys.\n");
  assert.equal((await run("accounts", "list")).out, "There are no accounts.\n");
  const id = KEY.exec((await run("keys", "create", "alice", "--plan", "FREE")).out)![0].slice(8, 16);
  await run("keys", "create", "bob");
  await run("keys", "revoke", id);
  assert.equal(
    (await run("accounts", "set", "bob", "--status", "RESTRICTED")).out,
    "Account bob has the plan FREE_STARTER and is RESTRICTED.\n",
  );
  assert.equal(
    (await run("accounts", "list")).out,
    [
      "account  plan          status      live keys",
      "alice    FREE          ACTIVE              0",
      "bob      FREE_STARTER  RESTRICTED          1",
      "",
    ].join("\n"),
  );
  assert.equal(
    (await run("plans", "list")).out,
    [
      "plan          daily units  attribution",
      "FREE_STARTER           50  yes",
      "FREE          unlimited    no",
      "",
    ].join("\n"),
  );
  assert.match(
    (await run("keys", "list")).out,
    new RegExp(
      `^id +account  state    may   last used  created +expires  revoked +note\n${id}  alice    revoked  read  -          (2026-11-21T10:00:00\\.000Z)  -        \\1\n`,
    ),
  );
});

test("a running server follows every change at once, and is told beside it", async (t) => {
  const data = await temporaryStore(t);
  const server = await serving(t, ["--data", data]);
  const run = async (...args: readonly string[]): Promise<Json> => {
    const done = await mazaneh([...args, "--data", data, "--json"]);
    assert.deepEqual([done.code, done.err], [0, ""]);
    return done.json();
  };
  const { id, key } = (await run("keys", "create", "alice")) as Json & { readonly id: string; readonly key: string };
  const access = async (): Promise<unknown> => {
    const { status, json } = await server.get("/api/v1/access", key);
    return status === 200 ? json["accessType"] : status;
  };
  assert.equal(await access(), "FREE_STARTER");

  await run("plans", "set", "BIG", "--daily-units", "1000000", "--attribution", "no");
  await run("accounts", "set", "alice", "--plan", "BIG");
  assert.equal(await access(), "BIG");

  await run("accounts", "set", "alice", "--status", "RESTRICTED");
  assert.equal(await access(), 403);
  await run("accounts", "set", "alice", "--status", "ACTIVE");

  const time = new Date(Date.now() - 60_000).toISOString();
  const imported = await mazaneh(["import", "--data", data, "--json", "-"], {
    input: `code,value,businessTime\nUSD_RLS,1905000,${time}\n`,
  });
  assert.equal(imported.json()["accepted"], 1);
  assert.equal((await server.get("/api/v1/assets/USD_RLS", key)).json["value"], 1_905_000);
  assert.match((await mazaneh(["export", "--data", data])).out, /^USD_RLS,1905000,/m);

  await run("keys", "revoke", id);
  assert.equal(await access(), 401);
  assert.equal(await server.stop(), 0);
});
