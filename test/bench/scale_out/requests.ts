import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { CLIENT, PROBE, startClient } from "../http/contestants.ts";
import type { LoadOrder, LoadOutcome } from "../http/load.ts";
import { requestText } from "../http/requests.ts";
import type { BenchRequest } from "../http/requests.ts";
import { atEnd } from "../support/cleanup.ts";
import { median, runRounds } from "../support/rounds.ts";
import type { Standings } from "../support/rounds.ts";
import type { EngineUrls } from "./engines.ts";
import { INSTANCE, openHouse } from "./houses.ts";
import type { House } from "./houses.ts";
import { scaleOutRequests } from "./targets.ts";

/** How requests are measured. */
export interface RequestsOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** Where JSON files go: not into memory. */
  readonly directory: string;
}

/** The figures of one route. */
export interface RouteFigures {
  readonly route: string;
  /** Microseconds on the clock for a request. */
  readonly standings: Standings;
  /** Medians over the rounds, in microseconds: within which time 99 of 100 answers came, and what one took of the instances' processor time. */
  of(name: string): { readonly p99: number; readonly cpu: number };
}

const WARM_SECONDS = 0.3;

/** Measures all routes with instances on each kind of store; the answers are compared first. */
export async function* measureRequests(urls: EngineUrls, built: (source: string) => string, options: RequestsOptions): AsyncGenerator<RouteFigures> {
  const { rounds, seconds, connections } = options;
  const now = Date.now();
  const directory = mkdtempSync(join(options.directory, "houses-"));
  atEnd(() => rmSync(directory, { recursive: true, force: true, maxRetries: 3 }));
  const start = { probe: built(PROBE), side: "any" } as const;
  const files = await openHouse(built(INSTANCE), now, { store: { directory: join(directory, "data") } }, 1, start);
  const shared = await openHouse(built(INSTANCE), now, { store: urls }, 2, start);
  const contestants: readonly (readonly [name: string, house: House, instances: number])[] = [
    ["1 on JSON files", files, 1],
    ["1 on PostgreSQL and Redis", shared, 1],
    ["2 on PostgreSQL and Redis", shared, 2],
  ];
  const client = await startClient(built(CLIENT), built(PROBE));

  async function load({ instances }: House, count: number, requests: readonly BenchRequest[], lasting: number): Promise<LoadOutcome> {
    const ports = instances.slice(0, count).map(({ port }) => port);
    const order: LoadOrder = { ports, seconds: lasting, connections, requests: requests.map((one) => ({ text: requestText(one), status: one.status })) };
    const outcome = (await client.ask(order)) as LoadOutcome;
    if (outcome.wrong > 0) throw new Error(`${outcome.wrong} of ${outcome.answers} answers had another status than 200`);
    return outcome;
  }

  const ours = scaleOutRequests(now, files.key);
  const theirs = scaleOutRequests(now, shared.key);
  await compare(files, ours, shared, theirs);
  for (const route of ours.keys()) {
    const seen = new Map(contestants.map(([name]) => [name, { p99: [] as number[], cpu: [] as number[] }]));
    const standings = await runRounds(
      contestants.map(([name, house, count]) => ({
        name,
        run: async () => {
          const requests = (house === files ? ours : theirs).get(route)!;
          await load(house, count, requests, WARM_SECONDS);
          const before = await cpuOf(house);
          const outcome = await load(house, count, requests, seconds);
          seen.get(name)!.cpu.push(((await cpuOf(house)) - before) / outcome.answers);
          seen.get(name)!.p99.push(outcome.p99);
          return (seconds * 1_000_000) / outcome.answers;
        },
      })),
      { rounds },
    );
    const middle = (figures: readonly number[]): number => median(figures.slice(-rounds)); // Without the first round, which warms up.
    yield { route, standings, of: (name) => ({ p99: middle(seen.get(name)!.p99), cpu: middle(seen.get(name)!.cpu) }) };
  }
}

/** Processor time that the instances have used so far, in microseconds. */
async function cpuOf({ instances }: House): Promise<number> {
  return (await Promise.all(instances.map((instance) => instance.cpuMicros()))).reduce((sum, micros) => sum + micros, 0);
}

/** Throws unless all instances answer each route with the same bytes, but for the time of the answer. */
async function compare(files: House, ours: ReturnType<typeof scaleOutRequests>, shared: House, theirs: ReturnType<typeof scaleOutRequests>): Promise<void> {
  for (const [route, requests] of ours) {
    const asked = [[files.instances[0]!, requests], ...shared.instances.map((instance) => [instance, theirs.get(route)!] as const)] as const;
    const answers = await Promise.all(asked.map(async ([{ port }, [request]]) => {
      const response = await fetch(`http://127.0.0.1:${port}${request!.target}`, { headers: { "X-API-Key": request!.key! } });
      const body = (await response.text()).replace(/"updatedAt":"[^"]*"/g, "");
      return `${response.status} ${body}`;
    }));
    const different = answers.find((answer) => answer !== answers[0] || !answer.startsWith("200"));
    if (different !== undefined) throw new Error(`${route}: an instance answers ${different.slice(0, 300)}, and not ${answers[0]!.slice(0, 300)}`);
  }
}
