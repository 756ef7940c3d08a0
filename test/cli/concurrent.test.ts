// Runs two commands at the same time beside a real server. All changes that the commands report as done are stored.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Json } from "../support/api_under_test.ts";
import { serving, temporaryStore } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { runs } from "../support/suite_size.ts";

const ROUNDS = runs(6);

type Done = Awaited<ReturnType<typeof program>>;

/** Makes functions that run commands on the data directory of a real server. */
async function besideServer(t: TestContext): Promise<{
  run(...args: readonly string[]): Promise<Done>;
  rows(noun: string): Promise<readonly Json[]>;
}> {
  const data = await temporaryStore(t);
  await serving(t, ["--data", data]);
  const run = (...args: readonly string[]): Promise<Done> => program([...args, "--data", data]);
  return {
    run,
    async rows(noun) {
      const { code, out } = await run(noun, "list", "--json");
      assert.equal(code, 0);
      return (JSON.parse(out) as Record<string, readonly Json[]>)[noun]!;
    },
  };
}

/** Waits for commands that must succeed. */
async function demandDone(...runs: readonly Promise<Done>[]): Promise<void> {
  for (const { code, err } of await Promise.all(runs)) assert.deepEqual([code, err], [0, ""]);
}

test("accounts set: a status and a plan that are set at the same time are both stored", async (t) => {
  const { run, rows } = await besideServer(t);
  await demandDone(run("plans", "set", "PRO", "--daily-units", "1000", "--attribution", "no"));
  for (let round = 0; round < ROUNDS; round++) {
    await demandDone(run("keys", "create", `a${round}`));
    await demandDone(
      run("accounts", "set", `a${round}`, "--status", "DISABLED"),
      run("accounts", "set", `a${round}`, "--plan", "PRO"),
    );
  }
  const found = (await rows("accounts")).map(({ account, plan, status }) => [account, plan, status]);
  assert.deepEqual(
    found,
    Array.from({ length: ROUNDS }, (_, round) => [`a${round}`, "PRO", "DISABLED"]),
  );
});
