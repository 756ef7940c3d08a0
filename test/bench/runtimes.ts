// Processor time of a request on Bun and on Deno: our fetch handler beside Hono that does the same work. Both are
// compared with a handler that answers with a constant `Response`.
//
//   npx tsx test/bench/runtimes.ts [--rounds N] [--runtimes bun,deno] [--routes one,list] [--seconds 0.4]
import { isDeepStrictEqual } from "node:util";
import { nodeSha256 } from "../../adapters/node/digest.ts";
import { randomBytes, systemClock } from "../../adapters/system.ts";
import { issueKey } from "../../core/mod.ts";
import type { AccountId } from "../../core/mod.ts";
import { CLIENT, PEERS, PROBE, startClient } from "./http/contestants.ts";
import type { LoadOrder, LoadOutcome } from "./http/load.ts";
import { benchRequests, requestText } from "./http/requests.ts";
import type { BenchRequest } from "./http/requests.ts";
import { startRuntimeServer } from "./runtimes/servers.ts";
import type { RuntimeServer } from "./runtimes/servers.ts";
import { MANY_UNITS } from "./support/mazaneh.ts";
import { announce, readOptions } from "./support/options.ts";
import { fetchPeers, fetchRuntime, withVersion } from "./support/peers.ts";
import { buildPrograms } from "./support/program.ts";
import { runRounds } from "./support/rounds.ts";
import { PINNING } from "./support/server.ts";
import { printTable } from "./support/table.ts";

const SERVE = "test/bench/runtimes/serve.ts";
const WARM_SECONDS = 0.2;
/** With all permissions, because only the handlers are compared. */
const ARGUMENTS = { bun: ["run"], deno: ["run", "--allow-all", "--no-check", "--no-config", "--no-lock", "--no-prompt"] } as const;

const { rounds, format, own } = readOptions("runtimes", { runtimes: "bun,deno", routes: "one,list", seconds: "0.4", connections: "32" });
const { key, entry } = await issueKey({ randomBytes, sha256: nodeSha256 }, { accountId: "bench" as AccountId, createdAt: systemClock() });
const now = systemClock();
const hono = fetchPeers(...PEERS.hono);
const kinds = ["constant", "control", "mazaneh", ...(hono ? (["hono"] as const) : [])] as const;
const built = await buildPrograms(SERVE, CLIENT, PROBE);
const client = await startClient(built(CLIENT), built(PROBE));
announce("Bun and Deno", rounds, [PINNING, `peer: ${withVersion(PEERS.hono[0])}`]);

for (const runtime of own["runtimes"]!.split(",").filter((name): name is keyof typeof ARGUMENTS => name in ARGUMENTS)) {
  const program = await fetchRuntime(runtime);
  if (program === undefined) continue;
  const servers = new Map<string, RuntimeServer>();
  for (const kind of kinds) {
    const setup = { kind, now, keys: { [key]: MANY_UNITS }, home: hono?.home ?? "", entry };
    servers.set(kind, await startRuntimeServer([program, ...ARGUMENTS[runtime]], built(SERVE), setup));
  }
  for (const route of own["routes"]!.split(",")) await measure(runtime, route, servers);
  for (const server of servers.values()) await server.stop();
}
process.exit(0);

async function measure(runtime: string, route: string, servers: ReadonlyMap<string, RuntimeServer>): Promise<void> {
  const [request] = benchRequests(now, { rich: key, spent: key }).get(route) ?? [];
  if (!request) throw new RangeError(`Cannot measure a route as there is none of this name: received "${route}"`);
  const body = await ask(servers.get("mazaneh")!, request);
  for (const kind of ["constant", "control"]) await servers.get(kind)!.teach(body);
  for (const [name, server] of servers) {
    const isEqual = isDeepStrictEqual(JSON.parse(await ask(server, request)), JSON.parse(body));
    if (!isEqual) throw new Error(`${name} answers otherwise than mazaneh`);
  }
  console.error(`Answers compared: ${runtime}, ${route}: JSON equal in ${[...servers.keys()].join(", ")}`);

  const contestants = [...servers].map(([name, server]) => ({ name, run: () => microsecondsEach(server, request) }));
  const standings = await runRounds(contestants, { rounds });
  const rows = standings.all.map(({ name, median, lowest, highest }) => [
    name,
    median,
    `${lowest.toFixed(1)}-${highest.toFixed(1)}`,
    standings.timesAsFast(name, "constant").toFixed(2),
    standings.has("hono") ? standings.timesAsFast(name, "hono").toFixed(2) : "",
  ]);
  printTable({ title: `${runtime}, ${route}`, columns: ["handler", "µs CPU a request", "spread", "x constant", "x hono"], rows }, format);
}

async function microsecondsEach(server: RuntimeServer, request: BenchRequest): Promise<number> {
  await load(server, request, WARM_SECONDS);
  const before = await server.cpuMicros();
  const answers = await load(server, request, Number(own["seconds"]));
  return ((await server.cpuMicros()) - before) / answers;
}

async function load({ port }: RuntimeServer, request: BenchRequest, seconds: number): Promise<number> {
  const requests = [{ text: requestText(request), status: request.status }];
  const order: LoadOrder = { ports: [port], seconds, connections: Number(own["connections"]), requests };
  const { answers, wrong } = (await client.ask(order)) as LoadOutcome;
  if (wrong > 0) throw new Error(`${wrong} of ${answers} answers had another status than expected`);
  return answers;
}

async function ask({ port }: RuntimeServer, request: BenchRequest): Promise<string> {
  const headers = { "Accept-Encoding": "identity", "X-API-Key": key };
  return (await fetch(`http://127.0.0.1:${port}${request.target}`, { headers })).text();
}
