import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { nodeListener } from "../../../adapters/http/node/mod.ts";
import { createMemoryStore } from "../../../adapters/stores/memory_store.ts";
import { type RequestPorts, withDeadline } from "../../../adapters/stores/shared/with_deadline.ts";
import type { AccountId, AssetCode, CalendarDate, KeyId, UtcMillis } from "../../../core/branded_types.ts";
import { Unavailable } from "../../../core/ports.ts";
import { createWorld } from "../../support/api_under_test.ts";
import { serveListener } from "../../support/serve_listener.ts";

const USD = "USD_RLS" as AssetCode;
const ALICE = "alice" as AccountId;
const DAY = "2026-11-21" as CalendarDate;
const KEY = "key00001" as KeyId;
const EDGES = [0, 1] as UtcMillis[];
const WINDOW = { from: 0 as UtcMillis, to: 900_000 as UtcMillis };

/** A store that answers when the test decides, or never, like a store behind a frozen network. */
interface Frozen {
  readonly ports: RequestPorts;
  /** Freezes these ports from now on. */
  freeze(...ports: (keyof RequestPorts)[]): void;
  /** Answers all waiting calls. Answers later calls at once. */
  thaw(): void;
  /** Calls without an answer. */
  readonly held: { resolve(): void; reject(error: Error): void }[];
}

function frozen(store = createMemoryStore()): Frozen {
  const cold = new Set<string>();
  const held: Frozen["held"] = [];
  const slow = <Port extends object>(name: string, port: Port): Port =>
    new Proxy(port, {
      get(_, member) {
        const act: unknown = Reflect.get(port, member);
        if (typeof act !== "function" || !cold.has(name)) return act;
        return (...args: unknown[]) =>
          new Promise((resolve, reject) =>
            held.push({ resolve: () => resolve(Reflect.apply(act, port, args)), reject }),
          );
      },
    });
  const ports = {
    observations: slow("observations", store.observations),
    accounts: slow("accounts", store.accounts),
    quota: slow("quota", store.quota),
  };
  return {
    ports,
    held,
    freeze: (...names) => names.forEach((name) => cold.add(name)),
    thaw() {
      cold.clear();
      for (const { resolve } of held.splice(0)) resolve();
    },
  };
}

/** A test of limits. It keeps the process alive, because the timers of these ports, unlike sockets, do not. */
function limitTest(rule: string, act: () => Promise<void>): void {
  test(rule, async () => {
    const awake = setInterval(() => {}, 1_000);
    try {
      await act();
    } finally {
      clearInterval(awake);
    }
  });
}

/** Each call of the ports, and the arguments that the store must receive. */
const CALLS: readonly (readonly [name: string, args: readonly unknown[], call: (ports: RequestPorts) => unknown])[] = [
  ["latest", [[USD]], ({ observations }) => observations.latest([USD])],
  ["coverage", [[USD]], ({ observations }) => observations.coverage([USD])],
  ["lastOfEach", [USD, EDGES], ({ observations }) => observations.lastOfEach(USD, EDGES)],
  ["candles", [USD, WINDOW, 900_000], ({ observations }) => observations.candles(USD, WINDOW, 900_000)],
  ["version", [[USD]], ({ observations }) => observations.version([USD])],
  ["find", [KEY], ({ accounts }) => accounts.find(KEY)],
  ["take", [ALICE, DAY, 5, KEY], ({ quota }) => quota.take(ALICE, DAY, 5, KEY)],
  ["giveBack", [ALICE, DAY], ({ quota }) => quota.giveBack(ALICE, DAY)],
  ["used", [ALICE, DAY], ({ quota }) => quota.used(ALICE, DAY)],
];

test("deadline: all arguments are passed on, and immediate results and errors are returned unchanged", () => {
  const all = (act: (...args: unknown[]) => unknown): RequestPorts => {
    const port = new Proxy({}, { get: () => act });
    const ports = { observations: port, accounts: port, quota: port };
    return withDeadline(ports as unknown as RequestPorts, { ms: 1 });
  };
  const error = new Error("wrong");
  const fail = (): never => {
    throw error;
  };
  for (const [name, args, call] of CALLS) {
    assert.deepEqual(call(all((...received) => ({ received }))), { received: args }, name);
    assert.throws(() => call(all(fail)), error, name);
  }
});

for (const [name, , call] of CALLS) {
  limitTest(`deadline: ${name} returns an answer that is in time, or rejects with Unavailable`, async () => {
    const { ports, freeze, held } = frozen();
    freeze("observations", "accounts", "quota");
    const soon = call(withDeadline(ports, { ms: 60_000 }));
    held[0]?.resolve();
    await soon;
    const refused = call(withDeadline(ports, { ms: 60_000 }));
    held[1]?.reject(new RangeError("no"));
    await assert.rejects(async () => refused, RangeError);
    const late = { name: "Unavailable", message: /within 5 ms/ };
    await assert.rejects(async () => call(withDeadline(ports, { ms: 5 })), late);
  });
}

test("deadline: while a store is frozen, a real server answers 503 with Retry-After, and 200 when it is back", async () => {
  const home = await createWorld();
  await home.feed(["USD_RLS", 1_000_000, "2026-11-21T09:00:00Z"]);
  const { ports, freeze, thaw, held } = frozen(home.store);
  const { api } = await createWorld(withDeadline(ports, { ms: 50, maxWaiting: 10 }));
  const origin = await serveListener(nodeListener(api));
  const ask = () =>
    fetch(`${origin}/api/v1/assets/USD_RLS`, {
      headers: { "X-API-Key": home.key },
      signal: AbortSignal.timeout(30_000),
    });
  for (const port of ["observations", "accounts", "quota"] as const) {
    freeze(port);
    for (const answer of await Promise.all(Array.from({ length: 30 }, ask))) {
      assert.deepEqual([answer.status, answer.headers.get("Retry-After")], [503, "5"]);
      assert.match(await answer.text(), /"UNAVAILABLE"/);
    }
    assert.ok(held.length <= 10, `the store holds ${held.length} calls`);
    thaw();
    await turn();
    assert.equal((await ask()).status, 200);
  }
});

limitTest("deadline: if too many calls are unanswered, further ones are refused without asking the store", async () => {
  const { ports, freeze, held } = frozen();
  freeze("quota");
  const { quota, observations } = withDeadline(ports, { ms: 20, maxWaiting: 3 });
  const used = async () => quota.used(ALICE, DAY);
  const waiting = [used(), used(), used()];
  const refusal = { name: "Unavailable", message: /3 calls unanswered/ };
  await assert.rejects(used, refusal);
  assert.equal(held.length, 3);
  assert.notEqual(observations.version(), undefined, "another port goes on");
  await Promise.all(waiting.map((one) => assert.rejects(one, Unavailable)));
  await assert.rejects(used, refusal, "a call after its time limit still counts as unanswered");
  held[0]?.resolve();
  held[1]?.reject(new Error("too late")); // An unhandled rejection would fail the test.
  await turn();
  const next = quota.used(ALICE, DAY);
  held[3]?.resolve();
  assert.equal(await next, 0);
});

limitTest(
  "deadline: a unit granted too late is given back once, and a failure to give it back is ignored; after a late refusal, nothing is given back",
  async () => {
    const { ports, freeze, thaw, held } = frozen();
    await ports.quota.take(ALICE, DAY, 2);
    freeze("quota");
    const { quota } = withDeadline(ports, { ms: 5 });
    for (let i = 0; i < 3; i++) await assert.rejects(async () => quota.take(ALICE, DAY, 2), Unavailable);
    thaw();
    await turn();
    assert.equal(await ports.quota.used(ALICE, DAY), 1, "the store has granted one of the three units");
    freeze("quota");
    await assert.rejects(async () => quota.take(ALICE, DAY, 2), Unavailable);
    held.shift()!.resolve();
    await turn();
    held.shift()!.reject(new Error("away")); // The give-back.
    await turn();
    thaw();
    assert.equal(await ports.quota.used(ALICE, DAY), 2, "giving it back failed");
  },
);

for (const [what, inTime] of [
  ["its key is looked up", 0],
  ["its unit is taken", 1],
  ["its price is read", 2],
] as const) {
  test(`deadline: if all calls of a request together take too long, the request gets 503 while ${what}, and costs no unit`, async (t) => {
    const home = await createWorld();
    await home.feed(["USD_RLS", 1_000_000, "2026-11-21T09:00:00Z"]);
    const { id, key } = await home.account({ units: 5 });
    const { ports, freeze, thaw, held } = frozen(home.store);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    const { ask, errors } = await createWorld(withDeadline(ports, { ms: 1_000 }));
    freeze("observations", "accounts", "quota");
    const answer = ask("/api/v1/assets/USD_RLS", { key });
    for (let n = 0; n < inTime; n++) {
      t.mock.timers.tick(400);
      held.shift()!.resolve();
      await turn();
    }
    t.mock.timers.tick(1_000 - 400 * inTime);
    assert.equal((await answer).status, 503);
    thaw();
    await turn();
    assert.equal(home.store.quota.used(id, DAY), 0);
    assert.equal(errors.length, 1, "it is reported once");
  });
}

test("deadline: a limit that is not a whole number, or too large for a timer, is refused", () => {
  for (const limits of [{ ms: 0 }, { ms: 1.5 }, { ms: 2 ** 31 }, { ms: 1, maxWaiting: 0 }])
    assert.throws(() => withDeadline(createMemoryStore(), limits), RangeError);
});
