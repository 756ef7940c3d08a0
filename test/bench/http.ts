// Processor time of a request over HTTP: the program as the README starts it, beside servers that do the same work.
// All are compared with node:http that answers with one constant buffer.
//
//   npx tsx test/bench/http.ts                                        all routes, all peers
//   npx tsx test/bench/http.ts --routes one,mix --peers fastify       these
//   npx tsx test/bench/http.ts --routes one --peers none --rounds 9   only ours and the constant
import { announce, readOptions } from "./support/options.ts";
import { withVersion } from "./support/peers.ts";
import { printTable } from "./support/table.ts";
import { PINNING } from "./support/server.ts";
import { createArena } from "./http/arena.ts";
import { PEERS } from "./http/contestants.ts";
import type { PeerName } from "./http/contestants.ts";

const ROUTES = "one,mix,list,history,ohlc,catalog,401,401 no key,404,417,429";
const options = readOptions("http", { routes: ROUTES, peers: Object.keys(PEERS).join(","), seconds: "0.35", connections: "32" });
const { own } = options;
const peers = own["peers"]!.split(",").filter((name): name is PeerName => name in PEERS);
const routes = own["routes"]!.split(",");

announce("HTTP", options.rounds, [PINNING, `peers: ${peers.map((name) => PEERS[name].map(withVersion).join(" ")).join(", ") || "none"}`]);
const [seconds, connections] = [Number(own["seconds"]), Number(own["connections"])];
const arena = await createArena(peers, { seconds, connections, rounds: options.rounds });
console.error(`Answers compared: ${await arena.check(routes)}`);

for (const route of routes) {
  const standings = await arena.run(route);
  const against = ["fastify", "hono", "express"].filter((name) => standings.has(name));
  const rows = standings.all.map(({ name, median, lowest, highest }) => [
    name,
    median,
    `${lowest.toFixed(1)}-${highest.toFixed(1)}`,
    standings.timesAsFast(name, "constant").toFixed(2),
    ...against.map((peer) => (name === "mazaneh" ? standings.timesAsFast(name, peer).toFixed(2) : "")),
  ]);
  const columns = ["server", "µs CPU a request", "spread", "x constant", ...against.map((peer) => `x ${peer}`)];
  printTable({ title: `HTTP, ${route}`, columns, rows }, options.format);
}
process.exit(0);
