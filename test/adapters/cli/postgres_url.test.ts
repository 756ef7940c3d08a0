import assert from "node:assert/strict";
import { test } from "node:test";
import { flawOfPostgres, readPostgresUrl } from "../../../adapters/cli/postgres_url.ts";
import type { PostgresTarget } from "../../../adapters/cli/postgres_url.ts";
import { settingsInForce } from "../../../adapters/cli/settings_sources.ts";

const CHECKED = { check: "signer and name", rootFile: undefined, certificateFile: undefined, keyFile: undefined, isDirect: false, isBound: false } as const;

const read: readonly (readonly [whose: string, url: string, wanted: Partial<PostgresTarget>])[] = [
  ["Neon", "postgresql://market:a%40b@ep-cool-1.eu.aws.neon.tech/neondb?sslmode=require&channel_binding=require", {
    host: "ep-cool-1.eu.aws.neon.tech", user: "market", password: "a@b", database: "neondb", tls: { ...CHECKED, isBound: true },
  }],
  ["Supabase, a pooler in session mode", "postgresql://postgres.abc:pw@aws-0-eu.pooler.supabase.com:5432/postgres", {
    host: "aws-0-eu.pooler.supabase.com", port: 5432, user: "postgres.abc", password: "pw", database: "postgres", tls: undefined,
  }],
  ["RDS", "postgres://market@db.eu.rds.amazonaws.com:5432/market?sslmode=verify-full&sslrootcert=/etc/rds.pem&connect_timeout=15&application_name=prices&target_session_attrs=read-write", {
    tls: { ...CHECKED, rootFile: "/etc/rds.pem" }, connectMs: 15_000, application_name: "prices",
  }],
  ["Heroku", "postgres://u:pw@ec2-1.compute-1.amazonaws.com:5432/d1?sslmode=no-verify", { tls: { ...CHECKED, check: "nothing" } }],
  ["a proxy of Neon by options", "postgres://u:pw@h/d?options=endpoint%3Dep-cool-1", { options: "endpoint=ep-cool-1" }],
  ["a socket", "postgres:///market?host=/var/run/postgresql&user=market", { host: "/var/run/postgresql", user: "market", database: "market" }],
  ["a socket in the place of the host", "postgres://%2Fvar%2Frun%2Fpostgresql/market", { host: "/var/run/postgresql" }],
  ["IPv6", "postgres://[::1]:5433/market", { host: "::1", port: 5433 }],
  ["time limits of sessions", "postgres://h/d?statement_timeout=5000&lock_timeout=100", { limits: { statement_timeout: 5_000, lock_timeout: 100 } }],
  ["authorities of the machine", "postgres://h/d?sslmode=verify-full&sslrootcert=system&sslnegotiation=direct", { tls: { ...CHECKED, isDirect: true } }],
  ["a certificate of the client", "postgres://h/d?sslmode=verify-ca&sslrootcert=r&sslcert=c&sslkey=k", { tls: { ...CHECKED, check: "signer", rootFile: "r", certificateFile: "c", keyFile: "k" } }],
  ["no TLS", "postgres://h/d?sslmode=disable&client_encoding=utf8", { tls: "disable" }],
  ["a pooler", "postgres://h/d?pgbouncer=true", { isPooled: true }],
  ["a password that is bound to its connection", "postgres://h/d?channel_binding=require", { tls: { ...CHECKED, isBound: true } }],
];
for (const [whose, text, wanted] of read) {
  test(`URL of PostgreSQL: ${whose} is read`, () => {
    const url = new URL(text);
    assert.equal(flawOfPostgres(url), undefined);
    const target = readPostgresUrl(url);
    for (const name of Object.keys(wanted) as (keyof PostgresTarget)[]) assert.deepEqual(target[name], wanted[name], name);
  });
}

const flaws: readonly (readonly [parameters: string, flaw: RegExp])[] = [
  ["pgbouncer=1", /^a URL whose parameter "pgbouncer" has a value that it cannot have$/],
  ["connection_limit=1", /^a URL with an unknown parameter "connection_limit": known are /],
  ["sslmode=prefer", /"sslmode" has a value/],
  ["sslmode=Require", /"sslmode" has a value/],
  ["sslmode=disable&sslmode=require", /"sslmode" twice$/],
  ["sslmode=disable&sslrootcert=x", /says how TLS is used, and that it is not$/],
  ["sslmode=disable&channel_binding=require", /says how TLS is used, and that it is not$/],
  ["sslmode=verify-ca", /no file in "sslrootcert"/],
  ["sslmode=verify-ca&sslrootcert=system", /no file in "sslrootcert"/],
  ["sslcert=x", /only one of "sslcert" and "sslkey"$/],
  ["connect_timeout=0", /"connect_timeout" has a value/],
  ["statement_timeout=30s", /"statement_timeout" has a value/],
  ["application_name=", /"application_name" has a value/],
];
for (const [parameters, flaw] of flaws) {
  test(`URL of PostgreSQL: ${parameters} is refused, and says what to do`, () => {
    assert.match(String(flawOfPostgres(new URL(`postgres://u:s3cret@h/d?${parameters}`))), flaw);
  });
}

const settings: readonly (readonly [variable: "MAZANEH_STORE" | "MAZANEH_QUOTA", url: string, message: RegExp])[] = [
  ["MAZANEH_STORE", "postgres://u:s3cret@a.example,b.example/d", /: received a URL with several hosts: name one that always leads to the server for writing/],
  ["MAZANEH_STORE", "postgres://u:s3cret@a.example:5432,b.example:5433/d?target_session_attrs=read-write", /a URL with several hosts/],
  ["MAZANEH_QUOTA", "redis://:s3cret@a.example:6379,b.example:6379", /a URL with several hosts/],
  ["MAZANEH_QUOTA", "redis://h/market", /a URL whose path is not the number of a database, such as redis:\/\/host:6379\/0$/],
  ["MAZANEH_QUOTA", "redis://h?db=1", /unknown parameter "db": it may have none, the number of a database is its path: redis:\/\/host:6379\/1$/],
  ["MAZANEH_QUOTA", "unix:///run/redis/redis.sock", /begins with unix:\/\/: name the port of Redis, e\.g\. redis:\/\/127\.0\.0\.1:6379$/],
  ["MAZANEH_QUOTA", "redis+socket:///run/redis/redis.sock", /name the port of Redis/],
];
for (const [variable, url, message] of settings) {
  test(`${variable}: ${url.replace("s3cret", "…")} is refused with 78, and says what to do`, async () => {
    await assert.rejects(settingsInForce({}, { MAZANEH_STORE: "postgres://h/d", [variable]: url }), (error: Error & { exitCode?: number }) => {
      assert.equal(error.exitCode, 78);
      assert.match(error.message, message);
      assert.ok(!error.message.includes("s3cret"), error.message);
      return true;
    });
  });
}

for (const password of ["a,b", "12,3"]) {
  test(`URL of PostgreSQL: a comma in the password (${password}) is no second host`, async () => {
    const { values } = await settingsInForce({}, { MAZANEH_STORE: `postgres://u:${password}@h/d` });
    assert.equal(String(values.store), "postgres://u@h/d");
  });
}
