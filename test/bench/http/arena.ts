import { isDeepStrictEqual } from "node:util";
import { runRounds } from "../support/rounds.ts";
import type { Standings } from "../support/rounds.ts";
import type { StartedServer } from "../support/server.ts";
import type { ConstantAnswer } from "./constant.ts";
import { startContestants } from "./contestants.ts";
import type { PeerName } from "./contestants.ts";
import type { LoadOrder, LoadOutcome } from "./load.ts";
import { benchRequests, requestText } from "./requests.ts";
import type { BenchRequest } from "./requests.ts";

/** How the load is made. */
export interface ArenaOptions {
  /** Duration of each measured run. */
  readonly seconds: number;
  readonly connections: number;
  readonly rounds: number;
}

/** Servers side by side under the same load. */
export interface Arena {
  /** Compares the answers of these routes. Returns a sentence on what was compared; throws at a difference. */
  check(routes: readonly string[]): Promise<string>;
  /** Measures the microseconds of processor time for a request. */
  run(route: string): Promise<Standings>;
}

/** A server that has been idle is slow at first, so each is warmed up just before its run. */
const WARM_SECONDS = 0.15;
/** Header fields that Node adds itself, and the length that the server reports. */
const OF_NODE = ["connection", "content-length", "date", "keep-alive"];
const CONSTANTS = ["constant", "control", "same fields"];
/** Members that differ from answer to answer. */
const OF_THE_MOMENT = ["updatedAt", "timestamp", "requestId"];

/** Starts the servers and the client. */
export async function createArena(peers: readonly PeerName[], { seconds, connections, rounds }: ArenaOptions): Promise<Arena> {
  const { client, servers, keys, filledAt } = await startContestants(peers);
  const routes = benchRequests(filledAt, keys);

  function requestsOf(route: string): readonly BenchRequest[] {
    const found = routes.get(route);
    if (!found) throw new RangeError(`Cannot measure a route as its name is one of ${[...routes.keys()].join(", ")}: received "${route}"`);
    return found;
  }

  async function load(server: StartedServer, requests: readonly BenchRequest[], lasting: number): Promise<number> {
    const sent = requests.map((request) => ({ text: requestText(request), status: request.status }));
    const order: LoadOrder = { ports: [server.port], seconds: lasting, connections, requests: sent };
    const { answers, wrong } = (await client.ask(order)) as LoadOutcome;
    if (wrong > 0) throw new Error(`${wrong} of ${answers} answers had another status than expected`);
    return answers;
  }

  /** Sends our answers to the constant servers. */
  async function teachConstants(requests: readonly BenchRequest[]): Promise<void> {
    const ours = servers.get("mazaneh")!;
    const taught = new Map<string, ConstantAnswer>();
    for (const request of requests) {
      const { status, body, fields } = await ask(ours, request);
      taught.set(request.target, { target: request.target, status, body: body.toString("base64"), fields });
    }
    for (const name of CONSTANTS) await servers.get(name)!.ask([...taught.values()]);
  }

  return {
    async check(names) {
      const wanted = names.flatMap(requestsOf);
      const others = [...servers.keys()].filter((name) => ![...CONSTANTS, "mazaneh"].includes(name));
      for (const request of wanted) {
        const ours = await ask(servers.get("mazaneh")!, request);
        if (ours.status !== request.status) throw new Error(`mazaneh answers ${request.target} with ${ours.status}, not ${request.status}`);
        for (const name of others) {
          const theirs = await ask(servers.get(name)!, request);
          const [left, right] = [comparable(ours), comparable(theirs)];
          if (ours.status === theirs.status && isDeepStrictEqual(left, right)) continue;
          throw new Error(`${name} answers ${request.target} otherwise than mazaneh:\n${theirs.body}\nnot\n${ours.body}`);
        }
      }
      return `${wanted.length} requests, status and JSON equal in mazaneh${others.map((name) => `, ${name}`).join("")}`;
    },

    async run(route) {
      const requests = requestsOf(route);
      await teachConstants(requests);
      const contestants = [...servers].map(([name, server]) => ({
        name,
        run: async () => {
          await load(server, requests, WARM_SECONDS);
          const before = await server.cpuMicros();
          const answers = await load(server, requests, seconds);
          return ((await server.cpuMicros()) - before) / answers;
        },
      }));
      return runRounds(contestants, { rounds });
    },
  };
}

interface Told {
  readonly status: number;
  readonly body: Buffer;
  readonly fields: Readonly<Record<string, string>>;
}

async function ask({ port }: StartedServer, { target, key }: BenchRequest): Promise<Told> {
  const response = await fetch(`http://127.0.0.1:${port}${target}`, {
    headers: { "Accept-Encoding": "identity", ...(key !== undefined && { "X-API-Key": key }) },
  });
  const fields = [...response.headers].filter(([name]) => !OF_NODE.includes(name));
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()), fields: Object.fromEntries(fields) };
}

/** The content of an answer, without fields that change with time, and without the message of an error. */
function comparable({ status, body }: Told): unknown {
  const data = JSON.parse(body.toString()) as Record<string, unknown>;
  if (Array.isArray(data)) return data;
  const left = status === 200 ? OF_THE_MOMENT : [...OF_THE_MOMENT, "message"];
  return Object.fromEntries(Object.entries(data).filter(([name]) => !left.includes(name)));
}
