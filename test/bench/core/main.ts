import { isDeepStrictEqual } from "node:util";
import { join } from "node:path";
import { openJsonFiles } from "../../../adapters/json_files/mod.ts";
import { nodeSha256 } from "../../../adapters/node/digest.ts";
import { requestIds, systemClock } from "../../../adapters/system.ts";
import { createApi } from "../../../core/mod.ts";
import { sampleObservations } from "../../../fixtures/sample.ts";
import { nanosecondsEach } from "./measure.ts";
import type { Answering } from "./measure.ts";
import { createUsualWay } from "./usual.ts";
import { benchRequests } from "../http/requests.ts";
import { temporaryDirectory } from "../support/cleanup.ts";
import { createKeyedStore, requestMaker, textOf } from "../support/in_process.ts";
import type { RequestMaker } from "../support/in_process.ts";
import { announce, readOptions, wholeNumber } from "../support/options.ts";
import { runRounds } from "../support/rounds.ts";
import { printTable } from "../support/table.ts";
import type { Cell } from "../support/table.ts";

const ROUTES = "one,list,history,history 100,catalog,ohlc,401,401 no key,404,417";
const OF_THE_MOMENT = new Set(["updatedAt", "timestamp", "requestId", "message"]);
const DAY = 86_400_000;

const { rounds, format, own } = readOptions("core", { routes: ROUTES, ms: "150" });
const milliseconds = wholeNumber("ms", own["ms"]!);
const now = systemClock();
const { store, key, units } = await createKeyedStore(now);
await store.observations.append([...sampleObservations(now)]);
const files = await openJsonFiles(join(temporaryDirectory(), "data"), { clock: systemClock });

const system = { clock: systemClock, requestIds, sha256: nodeSha256 };
const contestants: readonly (readonly [name: string, answering: Answering])[] = [
  ["mazaneh", createApi({ ...system, ...store })],
  ["mazaneh, quota in files", createApi({ ...system, ...store, quota: files.quota })],
  ["the usual way", createUsualWay(now, key, units)],
];

announce("Core", rounds, ["nanoseconds of processor time an answer, without making the request"]);
const routes = new Map(own["routes"]!.split(",").map((name) => [name, makersOf(name)]));
console.error(`Answers compared: ${await check()}`);
const rows: Cell[][] = [];
for (const [name, makers] of routes) {
  const standings = await runRounds(
    contestants.map(([label, answering]) => ({ name: label, run: () => nanosecondsEach(answering, makers, milliseconds) })),
    { rounds },
  );
  for (const { name: label, median, lowest, highest } of standings.all) {
    const times = standings.timesAsFast(label, "the usual way").toFixed(1);
    rows.push([name, label, median, `${Math.round(lowest)}-${Math.round(highest)}`, times]);
  }
}
printTable({ title: "In process", columns: ["route", "way", "ns an answer", "spread", "x the usual way"], rows }, format);
await files.close();
process.exit(0);

function makersOf(name: string): readonly RequestMaker[] {
  if (name === "history 100") {
    const target = (i: number): string => `/api/v1/assets/USD_RLS/history?from=${date(133 - i)}&to=${date(103 - i)}`;
    return Array.from({ length: 100 }, (_, i) => requestMaker(target(i), key));
  }
  const requests = benchRequests(now, { rich: key, spent: key }).get(name);
  if (!requests) throw new RangeError(`Cannot measure a route as its name is one of ${ROUTES}: received "${name}"`);
  return requests.map((request) => requestMaker(request.target, request.key, request.status));
}

function date(daysAgo: number): string {
  return new Date(now - daysAgo * DAY).toISOString().slice(0, 10);
}

/** Throws if an answer of a contestant differs from that of the first one, apart from fields that change with time. */
async function check(): Promise<string> {
  let count = 0;
  for (const maker of [...routes.values()].flat()) {
    const answers = await Promise.all(contestants.map(([, answering]) => answering(maker.make())));
    const [first, ...others] = answers.map((answer) => [answer.status, comparable(textOf(answer))]);
    if (others.some((other) => !isDeepStrictEqual(first, other))) throw new Error(`Answers differ for ${maker.make().target}`);
    count++;
  }
  return `${count} requests, status and JSON equal in ${contestants.map(([name]) => name).join("; ")}`;
}

function comparable(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => (OF_THE_MOMENT.has(name) ? undefined : value)) as unknown;
}
