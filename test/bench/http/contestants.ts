import { once } from "node:events";
import { fetchPeers } from "../support/peers.ts";
import { MANY_UNITS, startMazaneh } from "../support/mazaneh.ts";
import { buildPrograms } from "../support/program.ts";
import { startProgram, startServer } from "../support/server.ts";
import type { Started, StartedServer, StartOptions } from "../support/server.ts";
import type { BenchKeys } from "./requests.ts";
import type { WorkSetup } from "./work.ts";

/** The peers, and the packages that each needs. */
export const PEERS = {
  fastify: ["fastify"],
  hono: ["hono", "@hono/node-server"],
  express: ["express"],
} as const satisfies Record<string, readonly string[]>;
export type PeerName = keyof typeof PEERS;

/** All processes of the benchmark. */
export interface Contestants {
  readonly client: Started;
  /** By name; `constant` and `control` are equal, `same fields` sends the header fields that we send. */
  readonly servers: ReadonlyMap<string, StartedServer>;
  readonly keys: BenchKeys;
  /** When the sample archive was made that all of them serve. */
  readonly filledAt: number;
}

/** Sources of the client and of the probe, to be built. */
export const CLIENT = "test/bench/http/load.ts";
export const PROBE = "test/bench/support/probe.ts";
const CONSTANT = "test/bench/http/constant.ts";
const MAIN = "adapters/cli/main.ts";

/** Builds and starts all of them; one whose packages cannot be installed is left out, with a message. */
export async function startContestants(peers: readonly PeerName[]): Promise<Contestants> {
  const built = await buildPrograms(CONSTANT, CLIENT, PROBE, MAIN, ...peers.map(sourceOf));
  const options: StartOptions = { probe: built(PROBE), side: "server" };
  const { server, rich, spent, filledAt } = await startMazaneh(built(MAIN), options);
  const servers = new Map([
    ["constant", await startServer([built(CONSTANT)], options)],
    ["control", await startServer([built(CONSTANT)], options)],
    ["same fields", await startServer([built(CONSTANT), "fields"], options)],
    ["mazaneh", server],
  ]);
  for (const name of peers) {
    const fetched = fetchPeers(...PEERS[name]);
    if (!fetched) continue;
    const setup: WorkSetup = { now: filledAt, keys: { [rich]: MANY_UNITS, [spent]: 0 }, home: fetched.home };
    servers.set(name, await startServer([built(sourceOf(name)), JSON.stringify(setup)], options));
  }
  const client = await startClient(built(CLIENT), built(PROBE));
  return { client, servers, keys: { rich, spent }, filledAt };
}

/** Starts the built `load.ts`. */
export async function startClient(script: string, probe: string): Promise<Started> {
  const client = startProgram([script], { probe, side: "client" });
  await once(client.child, "message"); // It is ready.
  return client;
}

function sourceOf(name: PeerName): string {
  return `test/bench/http/${name}.ts`;
}
