import { isDeepStrictEqual } from "node:util";
import { nodeSha256 } from "../../../adapters/http/node/sha256.ts";
import { randomBytes, requestIds, systemClock } from "../../../adapters/http/web_system.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { makeKey } from "../../../core/accounts/keys.ts";
import type { RequestFields } from "../../../core/http/messages.ts";
import { type AccountId, type ApiRequest, createApi, issueKey, type MaybePromise } from "../../../core/mod.ts";
import { ok } from "../../../core/result.ts";
import { createService, type RouteName, type Service } from "../http/service.ts";
import { benchRequests, comparable, MANY_UNITS, prices, toObservation } from "../support/market.ts";
import { begin, compare } from "../support/report.ts";

type Answering = (request: ApiRequest) => MaybePromise<{ readonly status: number; readonly body: string | Uint8Array }>;

/** A request as bytes. The target and key are decoded into new strings each time, as if read from a socket. */
interface Prepared {
  readonly target: Buffer;
  readonly key: Buffer | undefined;
  readonly status: number;
}

class FreshRequest implements ApiRequest, RequestFields {
  readonly method = "GET";
  readonly scheme = "http";
  readonly headers: RequestFields = this;
  readonly target: string;
  readonly key: string | undefined;

  constructor({ target, key }: Prepared) {
    this.target = target.toString("latin1");
    this.key = key?.toString("latin1");
  }

  get(name: string): string | undefined {
    return name === "x-api-key" ? this.key : undefined;
  }

  async text() {
    return ok("");
  }
}

const MEASURED_MS = 150;
/** The index of the next request. Never reset, because the answer to a repeated request would be cached. */
let next = 0;
const { rounds } = begin("core", {});
const now = systemClock();
const store = createMemoryStore();
const { key, entry } = await issueKey(
  { randomBytes, sha256: nodeSha256 },
  { accountId: "bench" as AccountId, createdAt: now },
);
store.accounts.update([
  { op: "plan.patch", name: "MANY", dailyUnits: MANY_UNITS, attributionRequired: false },
  { op: "key.create", entry, plan: "MANY" },
]);
store.observations.append(Array.from(prices(now), toObservation));

const ways: readonly (readonly [name: string, answering: Answering])[] = [
  ["mazaneh", createApi({ clock: systemClock, requestIds, sha256: nodeSha256, ...store })],
  ["the usual way", usualWay(createService(now, key))],
];
const requests = benchRequests(now, { rich: key, unknown: makeKey(randomBytes(38)).key });

for (const [title, list] of requests) {
  if (title === "mix") continue;
  const prepared = list.map(({ target, key: sent, status }): Prepared => {
    return { target: Buffer.from(target), key: sent === undefined ? undefined : Buffer.from(sent), status };
  });
  for (const one of prepared.slice(0, 100)) await checkAnswers(one);
  await compare(
    ways.map(([name, answering]) => ({ name, run: () => nanosecondsEach(answering, prepared) })),
    { title, rounds, unit: "ns an answer", peers: ["the usual way"] },
  );
}
process.exit();

function usualWay(service: Service): Answering {
  return ({ target, headers }) => {
    const { pathname, searchParams } = new URL(target, "http://127.0.0.1");
    const [, , , , code, last] = pathname.split("/");
    let route: RouteName = last === "history" || last === "ohlc" ? last : "latest";
    if (code === undefined) route = "list";
    else if (code === "supported") route = "catalog";
    const { status, data } = service(route, {
      path: pathname,
      key: headers.get("x-api-key") ?? undefined,
      code,
      query: Object.fromEntries(searchParams),
    });
    return { status, body: JSON.stringify(data) };
  };
}

/** Throws if Mazaneh and the usual way give different answers. */
async function checkAnswers(prepared: Prepared): Promise<void> {
  const [ours, theirs] = await Promise.all(
    ways.map(async ([, answering]) => {
      const { status, body } = await answering(new FreshRequest(prepared));
      return [status, comparable(body)];
    }),
  );
  if (isDeepStrictEqual(ours, theirs)) return;
  throw new Error(`Answers differ for ${prepared.target.toString()}: ${JSON.stringify([ours, theirs])}`);
}

/** Nanoseconds of processor time per answer, without the time to make the request. */
async function nanosecondsEach(answering: Answering, prepared: readonly Prepared[]): Promise<number> {
  // If there are only a few requests, sends each of them equally often.
  const turns = (count: number): number =>
    prepared.length > 100 ? Math.ceil(count) : Math.ceil(count / prepared.length) * prepared.length;
  // Warms up, because other runs may have evicted the optimised code. Estimates the number of requests to measure.
  const guess = await nanosecondsOf(answering, prepared, 20);
  const warm = await nanosecondsOf(answering, prepared, turns((MEASURED_MS * 0.4e6) / guess));
  const count = turns((MEASURED_MS * 1e6) / warm);
  const whole = await nanosecondsOf(answering, prepared, count);
  return whole - (await nanosecondsOf(({ target }) => ({ status: 0, body: target }), prepared, count));
}

async function nanosecondsOf(answering: Answering, prepared: readonly Prepared[], count: number): Promise<number> {
  let [bytes, wrong] = [0, 0];
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    const one = prepared[next++ % prepared.length]!;
    const given = answering(new FreshRequest(one));
    const { status, body } = given instanceof Promise ? await given : given;
    bytes += body.length;
    if (status !== one.status && status !== 0) wrong++;
  }
  const { user, system } = process.cpuUsage(before);
  if (wrong > 0 || bytes === 0) throw new Error(`${wrong} of ${count} answers had an unexpected status`);
  return ((user + system) * 1_000) / count;
}
