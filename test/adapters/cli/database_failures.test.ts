// What commands say of a database that cannot be used as they want to.
import assert from "node:assert/strict";
import { test } from "node:test";
import { failureOf } from "../../../adapters/cli/engines/database_failure.ts";
import { isAddress, readStore } from "../../../adapters/cli/store_setting.ts";
import { Unavailable } from "../../../core/mod.ts";
import { program } from "../../support/cli_program.ts";

/** Each of these errors of a server, as an adapter throws them, with what to do. */
const codes: readonly (readonly [code: string, message: string, exitCode: number, advice: RegExp])[] = [
  ["25006", "cannot execute INSERT in a read-only transaction", 70, /; it can only be read, as a replica can: name the server for writing$/],
  ["53100", "could not extend file: No space left on device", 70, /; make room on the disk of the database$/],
  ["28P01", "password authentication failed", 78, /; check the user and the password of MAZANEH_STORE/],
  ["SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate in certificate chain", 78, /sslrootcert=FILE/],
  ["", "NOPERM this user has no permissions", 78, /; its user needs \+eval/],
  ["3F000", 'schema "mazaneh" does not exist', 70, /; as while a backup is restored: /],
];
for (const [code, message, exitCode, advice] of codes) {
  test(`failures of a database: ${message}: ${exitCode}, and what to do`, () => {
    const address = readStore("postgres://u:s3cret@h/d");
    if (!isAddress(address)) throw new TypeError("that is no address");
    const found = failureOf(address, new Unavailable("PostgreSQL is not available", 5, { cause: Object.assign(new Error(message), { code, severity: "ERROR" }) }));
    if (!(found instanceof Error && "exitCode" in found)) throw new TypeError("that is no failure of a command");
    assert.equal(found.exitCode, exitCode);
    assert.equal(found.message.split("; ")[0], `Cannot use postgres://u@h/d: ${message}`);
    assert.match(found.message, advice);
  });
}

test("migrate: a store in files is refused with 64, and so are counters without a Redis", async () => {
  const { code, err } = await program(["migrate"]);
  const where = "Name a database with --store postgres://user@host:5432/database or with MAZANEH_STORE";
  assert.deepEqual([code, err], [64, `mazaneh: A store in files needs no tables. ${where}\n`]);
  assert.match((await program(["migrate", "--store", "postgres://h/d", "--counters", "spent"])).err, /^mazaneh: --counters is for a ledger in Redis/);
  assert.match((await program(["migrate", "--counters", "none"])).err, /^mazaneh: --counters must be one of spent, all-spent, as-backed-up: received "none"$/m);
});
