// Measures the processor time of a request over HTTP. The program is started as users start it. It is compared with
// the same service in two frameworks, and with a node:http server that answers with constant bytes.
//
//   npx tsx test/bench/http.ts [--routes one,mix] [--peers fastify] [--rounds 9]    --peers none: no frameworks
//     --against ../earlier/dist/adapters/cli/main.js    adds a build of another commit to the rounds, as "earlier"
//     --recorded check    warns of each row that is over 4 % slower than in http.json; --recorded write records rows
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { ConstantAnswer } from "./http/constant.ts";
import { startClient } from "./http/load.ts";
import type { PeerSetup } from "./http/peer.ts";
import { install, type Server, serve, withPort } from "./support/installation.ts";
import { type BenchRequest, benchRequests, comparable } from "./support/market.ts";
import { HOME, havePeers } from "./support/peers.ts";
import { buildPrograms, start, temporaryDirectory } from "./support/processes.ts";
import { begin, compare, timesAsFast } from "./support/report.ts";

const [MAIN, CLIENT, CONSTANT, PEER] = [
  "adapters/cli/main.ts",
  "test/bench/http/load.ts",
  "test/bench/http/constant.ts",
  "test/bench/http/peer.ts",
] as const;
const PACKAGES = { fastify: ["fastify"], hono: ["hono", "@hono/node-server"] } as const;
/** A server that has been idle is slow at first, so each server is warmed up just before its measurement. */
const [WARM_SECONDS, SECONDS, CONNECTIONS] = [0.3, 0.35, 32];
/** The speed of each row relative to the speed of the constant server. */
const RECORDED = new URL("http.json", import.meta.url);
const PEERS = ["constant", "earlier", ...Object.keys(PACKAGES)];
const ROUTES = "one,mix,list,history,ohlc,catalog,new ohlc,401,401 no key,404,417";
const options = begin("http", { routes: ROUTES, peers: "fastify,hono", against: "none", recorded: "no" });
const now = Date.now();
const built = await buildPrograms(MAIN, CLIENT, CONSTANT, PEER);
const data = `${temporaryDirectory()}/data`;
const installation = install(built(MAIN), { MAZANEH_DATA: data }, now);
// Only one server can open a store, so the earlier build gets a copy, which is made before the store is open.
const copy = `${temporaryDirectory()}/data`;
if (options.against !== "none") cpSync(data, copy, { recursive: true });
const servers = new Map<string, Server>([
  ["constant", await withPort(start([built(CONSTANT)], { side: "server" }))],
  ["mazaneh", await serve(built(MAIN), installation, "server")],
]);
const [constant, mazaneh] = ["constant", "mazaneh"].map((name) => servers.get(name)!) as [Server, Server];
if (options.against !== "none")
  servers.set("earlier", await serve(options.against, { ...installation, env: { MAZANEH_DATA: copy } }, "server"));
for (const [name, packages] of Object.entries(PACKAGES)) {
  if (!options.peers.split(",").includes(name) || !havePeers(...packages)) continue;
  const setup: PeerSetup = { name: name as PeerSetup["name"], now, key: installation.keys.rich, home: HOME };
  servers.set(name, await withPort(start([built(PEER), JSON.stringify(setup)], { side: "server" })));
}
const send = await startClient(built(CLIENT), "client");
const recorded = JSON.parse(readFileSync(RECORDED, "utf8")) as Record<string, number>;
const routes = benchRequests(now, installation.keys);

for (const route of options.routes.split(",")) {
  const requests = routes.get(route);
  if (!requests) throw new RangeError(`--routes must be some of ${ROUTES}: received "${route}"`);
  await checkAnswers(requests.slice(0, 6)); // All of most routes.
  const order = { seconds: SECONDS, connections: CONNECTIONS, requests };
  const results = await compare(
    [...servers].map(([name, server]) => ({
      name,
      async run() {
        await send({ ...order, ports: [server.at], seconds: WARM_SECONDS });
        const before = await server.cpuMicros();
        const answers = await send({ ...order, ports: [server.at] });
        return ((await server.cpuMicros()) - before) / answers;
      },
    })),
    { title: route, rounds: options.rounds, unit: "µs CPU a request", peers: [...PEERS] },
  );
  const speed = timesAsFast(results.get("mazaneh")!, results.get("constant")!);
  const before = recorded[route] ?? 0;
  if (options.recorded === "check" && speed < 0.96 * before)
    console.log(`\nWARNING: ${route} has ${speed.toFixed(3)} times the constant server's speed; recorded: ${before}`);
  if (options.recorded === "write") recorded[route] = Math.round(speed * 1_000) / 1_000;
}
if (options.recorded === "write") writeFileSync(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`);
process.exit();

/** Throws when a peer's answer differs from Mazaneh's. Makes the constant server send Mazaneh's answers. */
async function checkAnswers(requests: readonly BenchRequest[]): Promise<void> {
  const answers: ConstantAnswer[] = [];
  for (const request of requests) {
    const { status, body } = await ask(mazaneh, request);
    answers.push({ target: request.target, status, body: body.toString("base64") });
    for (const [name, server] of servers) {
      if (server === constant) continue;
      const theirs = await ask(server, request);
      if (theirs.status === request.status && isDeepStrictEqual(comparable(body), comparable(theirs.body))) continue;
      const answers = [theirs, { status: request.status, body }].map(({ status, body }) => `${status} ${String(body)}`);
      throw new Error(`${name} differs for ${request.target}: ${answers.join("\ninstead of ")}`);
    }
  }
  await constant.ask(answers);
}

async function ask({ at }: Server, { target, key }: BenchRequest): Promise<{ status: number; body: Buffer }> {
  const response = await fetch(`http://127.0.0.1:${at}${target}`, {
    headers: { "Accept-Encoding": "identity", ...(key !== undefined && { "X-API-Key": key }) },
  });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}
