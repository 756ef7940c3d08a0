// Uses fixtures/examples/cluster/run.sh as its README says: starts it, sends requests, kills an instance, stops it.
import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { childProgram } from "../support/child_program.ts";
import { temporaryDirectory } from "../support/cli.ts";
import { hasCommand } from "../support/has_command.ts";
import { postgresMissing } from "../support/postgres_server.ts";
import { skipAloud } from "../support/skip_aloud.ts";
import { type Child, startChild } from "../support/start_child.ts";
import { until } from "../support/wait_until.ts";

const SCRIPT = "fixtures/examples/cluster/run.sh";
const programMissing = ["haproxy", "curl", "flock", "setsid"]
  .filter((name) => !hasCommand(name))
  .map((name) => `there is no ${name}`)[0];

/** A run of the script that has printed how to send a request. */
interface Cluster {
  readonly url: string;
  readonly key: string;
  readonly directory: string;
  /** The processes of the two instances. */
  readonly instances: readonly [number, number];
  /** The processes that the script has started, by name. */
  processes(): ReadonlyMap<string, number>;
  /** Ends the script as Ctrl+C does; resolves to its exit code. */
  interrupt(): Promise<number | null>;
}

if (postgresMissing !== undefined || programMissing !== undefined) {
  skipAloud("the example of two instances", postgresMissing, programMissing);
} else {
  test("example: two instances answer through the proxy, even after one is killed; Ctrl+C ends everything and removes all files", async (t) => {
    const { url, key, directory, instances, processes, interrupt } = await startCluster(t, []);
    const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${url}/api/v1/${path}`, { headers: { "X-API-Key": key, ...headers } });

    const left: number[] = [];
    for (let asked = 0; asked < 10; asked++) {
      const answer = await get("assets/USD_RLS");
      assert.equal(answer.status, 200);
      assert.equal(((await answer.json()) as { value: number }).value, 1_905_000);
      left.push(Number(answer.headers.get("X-RateLimit-Remaining")));
    }
    assert.deepEqual(left, [49, 48, 47, 46, 45, 44, 43, 42, 41, 40], "both instances count in one ledger");
    // On a slow machine, the proxy may skip an instance for a moment.
    await until("both instances answer", async () => {
      await (await get("status")).text();
      return !(await Promise.all([servedBy(directory, "one"), servedBy(directory, "two")])).includes(0);
    });

    process.kill(instances[0], "SIGKILL");
    const statuses = new Map<number, number>();
    for (let asked = 0; asked < 30; asked++) {
      const { status } = await get("assets/USD_RLS");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    assert.deepEqual([...statuses], [[200, 30]], "no client notices that an instance was killed");

    assert.equal(
      await refusal(t, [], new URL(url).port),
      `run.sh: port ${new URL(url).port} of 127.0.0.1 is in use: set PORT to another one, or to 0 for any free one\n`,
    );

    const forged = await get("status", { "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Host": "other.example.org" });
    assert.doesNotMatch(await forged.text(), /other\.example\.org/, "forged fields do not reach the server");

    const started = processes();
    assert.deepEqual([...started.keys()].sort(), ["one", "postgres", "proxy", "two"]);
    assert.equal(await interrupt(), 0);
    // PostgreSQL is reported as stopped a moment before its process ends.
    for (const [name, pid] of started) await until(`${name} has ended`, () => !isAlive(pid));
    assert.ok(!existsSync(directory), "the temporary directory is removed");
  });

  test("example: with a given directory, the next run continues with the same data, key and counters", async (t) => {
    const parent = await temporaryDirectory(t);
    if (process.getuid?.() === 0) {
      assert.match(await refusal(t, [join(parent, "my cluster")]), /user postgres may not enter/);
    }
    chmodSync(parent, 0o755);
    const directory = join(parent, "my cluster");
    const first = await startCluster(t, [directory]);
    const call = async ({ url, key }: Cluster): Promise<string | null> => {
      const answer = await fetch(`${url}/api/v1/assets/USD_RLS`, { headers: { "X-API-Key": key } });
      assert.equal(answer.status, 200);
      return answer.headers.get("X-RateLimit-Remaining");
    };
    assert.equal(await call(first), "49");
    assert.equal(await run(t, [directory]).ended, 1, "two runs cannot use the same directory");
    assert.equal(await first.interrupt(), 0);
    const again = await startCluster(t, [directory]);
    assert.equal(again.key, first.key);
    assert.equal(await call(again), "48");
    const commandLines = [...again.processes().values()]
      .map((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8"))
      .join(" ");
    const secrets = readFileSync(join(directory, "secrets"), "utf8")
      .trim()
      .split(/[ =]/)
      .filter((_, at) => at % 2 === 1);
    assert.equal(secrets.length, 3);
    for (const secret of secrets) assert.ok(!commandLines.includes(secret), "no command line contains a password");
    assert.equal(await again.interrupt(), 0);
  });
}

function run(t: TestContext, args: readonly string[], variables: Readonly<Record<string, string>> = {}): Child {
  const program = `${process.execPath} ${childProgram("adapters/cli/main.ts")}`;
  const env = { ...process.env, PORT: "0", ...variables, MAZANEH_PROGRAM: program };
  const script = startChild(SCRIPT, args, { env, detached: true });
  t.after(() => script.end("SIGTERM"));
  return script;
}

/** The script's message when it refuses to start. */
async function refusal(t: TestContext, args: readonly string[], port = "0"): Promise<string> {
  const script = run(t, args, { PORT: port });
  assert.equal(await script.ended, 1, script.err());
  return script.err();
}

async function startCluster(t: TestContext, args: readonly string[]): Promise<Cluster> {
  const script = run(t, args);
  await script.printed(/Ctrl\+C/);
  const [, key, url] = await script.printed(/X-API-Key: (\S+)" (http:\/\/[\d.:]+)\//);
  const [, first, second, directory] = await script.printed(
    /process (\d+) on port \d+, process (\d+) on port[^]*logs are in (.+)\.\n/,
  );
  return {
    ...{ url: url!, key: key!, directory: directory!, instances: [Number(first), Number(second)] },
    processes: () =>
      new Map(
        readFileSync(join(directory!, "processes"), "utf8")
          .trim()
          .split("\n")
          .map((line) => [line.split(": ")[0]!, Number(line.split(": ")[1])]),
      ),
    async interrupt() {
      process.kill(-script.process.pid!, "SIGINT");
      return script.ended;
    },
  };
}

/** The number of client requests that an instance has answered, from its metrics. */
async function servedBy(directory: string, name: string): Promise<number> {
  const report = readFileSync(join(directory, "log", name), "utf8");
  const [, admin] = /(http:\/\/127\.0\.0\.1:\d+)\/readyz/.exec(report) ?? [];
  const metrics = await (await fetch(`${admin}/metrics`)).text();
  return [...metrics.matchAll(/^http_server_requests_total\{.*\} (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

/** Whether a process runs. A zombie does not count as running. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
