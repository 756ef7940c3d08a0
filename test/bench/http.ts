// The processor time of a request over HTTP. Compares the program, started as users start it, with servers that do the
// same work in two frameworks, and with a node:http server that answers with constant bytes.
//
//   npx tsx test/bench/http.ts [--routes one,mix] [--peers fastify] [--rounds 9]    --peers none: no frameworks
//     --against ../earlier/dist/adapters/cli/main.js    adds a build of another commit to the rounds, as "earlier"
//     --recorded check    warns of each row that is slower than in http.json by more than 4 %; --recorded write records them
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { ConstantAnswer } from "./http/constant.ts";
import { startClient } from "./http/load.ts";
import type { PeerSetup } from "./http/peer.ts";
import { type Installation, install, type Server, serve, withPort } from "./support/installation.ts";
import { type BenchRequest, benchRequests } from "./support/market.ts";
import { HOME, havePeers } from "./support/peers.ts";
import { buildPrograms, start, temporaryDirectory } from "./support/processes.ts";
import { begin, report } from "./support/report.ts";
import { runRounds, timesAsFast } from "./support/rounds.ts";

const [MAIN, CLIENT, CONSTANT, PEER] = [
  "adapters/cli/main.ts",
  "test/bench/http/load.ts",
  "test/bench/http/constant.ts",
  "test/bench/http/peer.ts",
] as const;
const PACKAGES = { fastify: ["fastify"], hono: ["hono", "@hono/node-server"] } as const;
/** A server that has been idle is slow at first, so each is warmed up just before it is measured. */
const WARM_SECONDS = 0.3;
/** Header fields that Node adds itself. */
const OF_NODE = ["connection", "content-length", "date", "keep-alive"];
/** Members that may differ: those that change with each answer, and the insert time, which differs between stores. */
const OF_THE_MOMENT = new Set(["updatedAt", "timestamp", "requestId", "message", "insertTime"]);

/** The speed of each row relative to the constant server's. */
const RECORDED = new URL("http.json", import.meta.url);
const ROUTES = "one,mix,list,history,ohlc,catalog,new ohlc,401,401 no key,404,417,429";
const options = begin("http", {
  routes: ROUTES,
  peers: "fastify,hono",
  seconds: "0.35",
  connections: "32",
  against: "none",
  recorded: "no",
});
const now = Date.now();
const built = await buildPrograms(MAIN, CLIENT, CONSTANT, PEER);
const data = `${temporaryDirectory()}/data`;
const installation = install(built(MAIN), { MAZANEH_DATA: data }, now);
const servers = new Map<string, Server>([
  ["constant", await withPort(start([built(CONSTANT)], { side: "server" }))],
  ["same fields", await withPort(start([built(CONSTANT), "fields"], { side: "server" }))],
  ["with metrics", await serve(built(MAIN), copyOf(installation), "server", ["--admin-port", "0"])],
  ...(options.against === "none"
    ? []
    : [["earlier", await serve(options.against, copyOf(installation), "server")] as const]),
  ["mazaneh", await serve(built(MAIN), copyOf(installation), "server")],
]);
const constants = ["constant", "same fields"].map((name) => servers.get(name)!);
for (const [name, packages] of Object.entries(PACKAGES)) {
  if (!options.peers.split(",").includes(name) || !havePeers(...packages)) continue;
  const setup: PeerSetup = { name: name as PeerSetup["name"], now, keys: installation.keys, home: HOME };
  servers.set(name, await withPort(start([built(PEER), JSON.stringify(setup)], { side: "server" })));
}
const send = await startClient(built(CLIENT), "client");
const recorded = JSON.parse(readFileSync(RECORDED, "utf8")) as Record<string, number>;
const routes = benchRequests(now, installation.keys);

for (const route of options.routes.split(",")) {
  const requests = routes.get(route);
  if (!requests)
    throw new RangeError(
      `Cannot measure a route: its name must be one of ${[...routes.keys()].join(", ")}: received "${route}"`,
    );
  await compare(requests.slice(0, 6)); // All of most routes.
  const order = { seconds: Number(options.seconds), connections: Number(options.connections), requests };
  const results = await runRounds(
    [...servers].map(([name, server]) => ({
      name,
      async run() {
        await send({ ...order, ports: [server.at], seconds: WARM_SECONDS });
        const before = await server.cpuMicros();
        const answers = await send({ ...order, ports: [server.at] });
        return ((await server.cpuMicros()) - before) / answers;
      },
    })),
    options.rounds,
  );
  report(results, { title: route, unit: "µs CPU a request", peers: ["constant", "earlier", ...Object.keys(PACKAGES)] });
  const [ours, constant] = ["mazaneh", "constant"].map((name) => results.find((result) => result.name === name)!);
  const [speed, before] = [timesAsFast(ours!, constant!), recorded[route]];
  if (options.recorded === "check" && before !== undefined && speed < 0.96 * before) {
    console.log(
      `\nWARNING: ${route} has ${speed.toFixed(3)} of the constant's speed, and had ${before} when it was recorded`,
    );
  }
  if (options.recorded === "write") recorded[route] = Math.round(speed * 1_000) / 1_000;
}
if (options.recorded === "write") writeFileSync(RECORDED, `${JSON.stringify(recorded, null, 2)}\n`);
process.exit();

/** A copy of the store in another directory, because only one server can open a store. */
function copyOf({ keys }: Installation): Installation {
  const copy = `${temporaryDirectory()}/data`;
  cpSync(data, copy, { recursive: true });
  return { keys, env: { MAZANEH_DATA: copy } };
}

/** Throws when a peer's answer differs from ours. Teaches our answers to the constant servers. */
async function compare(requests: readonly BenchRequest[]): Promise<void> {
  const taught: ConstantAnswer[] = [];
  for (const request of requests) {
    const { status, body, fields } = await ask(servers.get("mazaneh")!, request);
    taught.push({ target: request.target, status, body: body.toString("base64"), fields });
    for (const [name, server] of servers) {
      if (constants.includes(server)) continue;
      const theirs = await ask(server, request);
      if (theirs.status === request.status && isDeepStrictEqual(comparable(body), comparable(theirs.body))) continue;
      throw new Error(
        `${name} answers ${request.target} with ${theirs.status} ${theirs.body.toString()}\nnot ${request.status} ${body.toString()}`,
      );
    }
  }
  for (const server of constants) await server.ask(taught);
}

async function ask(
  { at }: Server,
  { target, key }: BenchRequest,
): Promise<{ readonly status: number; readonly body: Buffer; readonly fields: Readonly<Record<string, string>> }> {
  const response = await fetch(`http://127.0.0.1:${at}${target}`, {
    headers: { "Accept-Encoding": "identity", ...(key !== undefined && { "X-API-Key": key }) },
  });
  const fields = Object.fromEntries([...response.headers].filter(([name]) => !OF_NODE.includes(name)));
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()), fields };
}

function comparable(body: Buffer): unknown {
  return JSON.parse(body.toString(), (member, value: unknown) =>
    OF_THE_MOMENT.has(member) ? undefined : value,
  ) as unknown;
}
