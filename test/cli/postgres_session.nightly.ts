// Tests the parameters of PostgreSQL URLs against a real server with TLS. `pg` is installed beside the program.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { bundle } from "../faults/bundle.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { findUser, serverDirectory } from "../support/server_process.ts";
import { skipAloud } from "../support/skip_aloud.ts";

const owner = findUser("postgres");
const directory = serverDirectory(process.getuid?.() === 0 ? owner : undefined);
const file = (name: string): string => join(directory, name);
const opensslMissing = makeCertificates();
// Requires TLS for TCP connections, as most hosting providers do.
writeFileSync(file("hba"), "local all all trust\nhostssl all all 127.0.0.1/32 trust\n");
const postgres = opensslMissing
  ? undefined
  : await startPostgres({
      settings: {
        ssl: "on",
        ssl_cert_file: file("server.crt"),
        ssl_key_file: file("server.key"),
        hba_file: file("hba"),
        unix_socket_directories: directory,
      },
    });

// Started before the first test, so that the runner does not end this file while a server is still starting.
const main = await bundle("test/cli/postgres_session_child.ts");
mkdirSync(join(dirname(main), "node_modules"));
symlinkSync(resolve("node_modules/pg"), join(dirname(main), "node_modules/pg"));

/** Creates the certificate of an authority, and a certificate for `db.example` that the authority signed. */
function makeCertificates(): string | undefined {
  const openssl = (args: string): void =>
    void execFileSync("openssl", args.split(" "), { cwd: directory, stdio: "ignore" });
  const newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
  try {
    openssl(`req -x509 ${newKey} -keyout root.key -out root.crt -subj /CN=authority -days 2`);
    openssl(`req ${newKey} -keyout server.key -out server.csr -subj /CN=db.example`);
    writeFileSync(file("names"), "subjectAltName=DNS:db.example\n");
    const signing = "-CA root.crt -CAkey root.key -CAcreateserial -days 2 -extfile names";
    openssl(`x509 -req -in server.csr -out server.crt ${signing}`);
  } catch (error) {
    return `certificates need openssl: ${String(error)}`;
  }
  chmodSync(file("server.key"), 0o600);
  if (process.getuid?.() === 0 && owner) chownSync(file("server.key"), owner.uid, owner.gid);
  return undefined;
}

if (!postgres) {
  skipAloud("URLs of PostgreSQL on a server with TLS", postgresMissing, opensslMissing);
} else {
  const at = `postgres://postgres@127.0.0.1:${postgres.port}/postgres`;
  const bySocket = `postgres:///postgres?user=postgres&host=${directory}&port=${postgres.port}`;
  const sessions: readonly (readonly [rule: string, url: string, session: Readonly<Record<string, unknown>>])[] = [
    [
      "a certificate of a given authority, without a check of the host name",
      `${at}?sslmode=verify-ca&sslrootcert=${file("root.crt")}`,
      { tls: true, application: "mazaneh", lock: "1min", statement: "30s" },
    ],
    ["an unchecked certificate", `${at}?sslmode=no-verify`, { tls: true }],
    [
      "parameters of the session",
      `${at}?sslmode=no-verify&application_name=prices&statement_timeout=54321&lock_timeout=4321&options=-c%20search_path%3Dother&channel_binding=prefer&connect_timeout=30&target_session_attrs=any`,
      { tls: true, application: "prices", statement: "54321ms", lock: "4321ms", path: "other" },
    ],
    ["a socket", `${bySocket}&application_name=prices`, { tls: false, application: "prices" }],
    [
      "a socket instead of a host",
      `postgres://postgres@${encodeURIComponent(directory)}:${postgres.port}/postgres`,
      { tls: false },
    ],
  ];
  const refused: readonly (readonly [rule: string, url: string, advice: RegExp])[] = [
    ["a server that wants TLS", at, /if the server requires TLS/],
    ["a certificate of an unknown authority", `${at}?sslmode=require`, /certificate.*; add .* sslrootcert=FILE/],
    [
      "a certificate for another name",
      `${at}?sslmode=verify-full&sslrootcert=${file("root.crt")}`,
      /use the host name of its certificate/,
    ],
    ["a missing file", `${at}?sslrootcert=${file("other.crt")}`, /MAZANEH_STORE: ENOENT.*other\.crt/],
  ];
  const opened = (url: string): Readonly<Record<string, unknown>> => {
    const { stdout, stderr } = spawnSync(process.execPath, [main], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], MAZANEH_STORE: url },
    });
    assert.equal(stderr, "");
    return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
  };

  test("URL of PostgreSQL: the session follows each parameter, and the library prints no warnings", () => {
    for (const [rule, url, session] of sessions) {
      const found = opened(url);
      assert.deepEqual({ ...found, ...session }, found, rule);
    }
  });
  test("URL of PostgreSQL: a wrong certificate, file or encryption is refused with exit code 78 and advice", () => {
    for (const [rule, url, advice] of refused) {
      const found = opened(url);
      assert.equal(found["exitCode"], 78, rule);
      assert.match(String(found["message"]), advice);
    }
  });
}
