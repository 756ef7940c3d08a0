// Tests compose.yaml and its Dockerfile without containers: this file starts the same programs.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SETTING_NAMES, variableOf } from "../../adapters/cli/settings.ts";
import { mazaneh, serving } from "../support/cli.ts";
import { postgresMissing, startPostgres } from "../support/postgres_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";

const FOLDER = "fixtures/examples/cluster";
const compose = readFileSync(join(FOLDER, "compose.yaml"), "utf8");
/** The value used for each secret that compose reads from .env. */
const SECRET = "5ec3e7";

const postgres = await startPostgres();

test("compose: sets only variables of known settings, and mounts only files that exist", () => {
  const known: readonly string[] = SETTING_NAMES.map(variableOf);
  const set = [...compose.matchAll(/^ +(MAZANEH_\w+):/gm)].map(([, name]) => name!);
  assert.ok(set.length >= 6, set.join());
  const unknown = set.filter((name) => !known.includes(name));
  assert.deepEqual(unknown, []);
  const mounted = [...compose.matchAll(/^ +- \.\/([\w.]+):/gm)].map(([, name]) => name!);
  assert.deepEqual(mounted, ["roles.sh", "haproxy.cfg"]);
  for (const name of mounted) assert.ok(existsSync(join(FOLDER, name)), name);
  // Both run.sh and compose.yaml set every variable that the proxy reads.
  const wanted = [...readFileSync(join(FOLDER, "haproxy.cfg"), "utf8").matchAll(/\$\{(\w+)\}/g)].map(
    ([, name]) => name!,
  );
  const script = readFileSync(join(FOLDER, "run.sh"), "utf8");
  for (const name of wanted) {
    assert.match(compose, new RegExp(`^ +${name}: `, "m"));
    assert.match(script, new RegExp(`\\b${name}=`));
  }
});

test("compose: the image has the same client library versions as the tests", () => {
  const dockerfile = readFileSync(join(FOLDER, "Dockerfile"), "utf8");
  const { devDependencies } = JSON.parse(readFileSync("package.json", "utf8")) as {
    devDependencies: Record<string, string>;
  };
  const [, ...installed] = / (\w+)@(\d+) (\w+)@(\d+)$/m.exec(dockerfile) ?? [];
  const expected = ["pg", "redis"].flatMap((name) => [name, /\d+/.exec(devDependencies[name]!)![0]]);
  assert.deepEqual(installed, expected);
});

if (!postgres) skipAloud("the services of compose.yaml", postgresMissing);
else {
  test("compose: the roles and variables suffice to create the tables and start an instance", async (t) => {
    const variables = {
      PGHOST: "127.0.0.1",
      PGPORT: String(postgres.port),
      POSTGRES_USER: "postgres",
      OWNER_PASSWORD: SECRET,
      SERVER_PASSWORD: SECRET,
    };
    const path = 'PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)"';
    const roles = spawnSync("bash", ["-ec", `${path} ${FOLDER}/roles.sh`], {
      encoding: "utf8",
      env: { ...process.env, ...variables },
    });
    assert.equal(roles.status, 0, roles.stderr);

    const shared = compose.slice(0, compose.indexOf("\nservices:"));
    const [, migrate = ""] = /\n {2}migrate:\n([^]*?)\n {2}postgres:/.exec(compose) ?? [];
    const [, command = ""] = /command: \[(.*)\]/.exec(migrate) ?? [];
    const made = await mazaneh(command.split(", "), { env: variablesOf(migrate) });
    assert.deepEqual([made.code, made.err], [0, ""], made.err);
    // Uses a free port, because the port of the image may be in use on this machine.
    const served = await serving(t, ["--admin-port", "0"], variablesOf(shared));
    assert.equal((await served.get("/api/v1/status")).json["status"], "OK");
    assert.equal((await fetch(`${String(served.state["adminUrl"])}/readyz`)).status, 200);
  });

  /** The `MAZANEH_*` variables in a part of compose.yaml, with the addresses of the local servers. */
  function variablesOf(part: string): Record<string, string> {
    const variables = [...part.matchAll(/^ +(MAZANEH_\w+): "?([^"\n]*)"?$/gm)].map(
      ([, name, value]): [string, string] => {
        const here = value!.replace(/\$\{\w+:\?\}/g, SECRET).replace("@postgres:5432", `@127.0.0.1:${postgres!.port}`);
        return [name!, here];
      },
    );
    return Object.fromEntries(variables);
  }
}
