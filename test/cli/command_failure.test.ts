// The messages and exit codes of commands that fail.
import assert from "node:assert/strict";
import { test } from "node:test";
import { exitCodeOf, messageOf } from "../../adapters/cli/command_failure.ts";
import { Unavailable } from "../../core/mod.ts";

const failing = (message: string, code: string, more: object = {}): Error =>
  Object.assign(new Error(message), { code, ...more });

/** Errors of database servers, as the adapters throw them, with the advice for each error. */
const codes: readonly (readonly [code: string, message: string, exitCode: number, advice: RegExp])[] = [
  [
    "25006",
    "cannot execute INSERT in a read-only transaction",
    70,
    /; it is a replica, or has default_transaction_read_only: name a server that accepts writes$/,
  ],
  ["57014", "canceling statement due to statement timeout", 70, /; if its user has a time limit, lift the limit/],
  ["53100", "could not extend file: No space left on device", 70, /; make room on the disk of the database$/],
  ["28P01", "password authentication failed", 78, /; check user and password of MAZANEH_STORE/],
  ["SELF_SIGNED_CERT_IN_CHAIN", "self-signed certificate in certificate chain", 78, /sslrootcert=FILE/],
  ["", "NOPERM this user has no permissions", 78, /; its user needs \+eval /],
  ["3F000", 'schema "mazaneh" does not exist', 70, /; this happens while a backup is being restored: /],
  ["ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:5432", 70, /127\.0\.0\.1:5432$/],
];
test("failure: a database server's errors are quoted with advice, and end with exit code 70 if they may be temporary", () => {
  for (const [code, message, exitCode, advice] of codes) {
    const error = new Unavailable(`PostgreSQL is not available: ${message}`, 5, { cause: failing(message, code) });
    assert.equal(exitCodeOf(error), exitCode, message);
    assert.match(messageOf(error), advice);
  }
});

test("failure: if a host name has several addresses, the message names each one that was tried", () => {
  const cause = new AggregateError([
    new Error("connect ECONNREFUSED ::1:5432"),
    new Error("connect ECONNREFUSED 127.0.0.1:5432"),
  ]);
  assert.equal(
    messageOf(new Unavailable("No answer", 5, { cause })),
    "No answer: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432",
  );
});

test("failure: a read-only disk, a full disk and too many open files are reported with advice", () => {
  for (const [code, advice] of [
    ["EROFS", "mount its disk for writing"],
    ["ENOSPC", "make room on its disk"],
  ] as const) {
    const error = failing(`${code}: refused, mkdir '/d/control'`, code, { path: "/d/control" });
    assert.equal(messageOf(error), `${code}: refused, mkdir '/d/control'; ${advice}`);
  }
  const cause = failing("too many", "EMFILE");
  assert.match(messageOf(new Error("There is no store", { cause })), /\(EMFILE\); raise the limit/);
});
