import {
  type Mirror,
  type MirrorEvent,
  type MirrorOptions,
  type MirrorStateStore,
  startMirror,
} from "../../../adapters/feeds/mirror/mod.ts";
import { fetchHandler } from "../../../adapters/http/fetch_handler.ts";
import { createMemoryStore, type MemoryStore } from "../../../adapters/stores/memory_store.ts";
import type { AccountId, UtcMillis } from "../../../core/mod.ts";
import { createWorld, type World } from "../../support/api_under_test.ts";
import { at } from "../../support/generators.ts";

// A real mirror of a real API, without a socket, on a clock that jumps to the end of each sleep.

/** Handles a request before it reaches the upstream; `pass` forwards it. */
export type Way = (request: Request, pass: () => Promise<Response>) => Promise<Response>;

/** A mirror on its own clock. */
export interface RunningMirror {
  /** The mirror's own store. */
  readonly store: MemoryStore;
  readonly events: MirrorEvent[];
  now(): UtcMillis;
  /** Lets time pass during pending requests. */
  pass(ms: number): void;
  /** How far the mirror's own clock is ahead of the true time. */
  setSkew(ms: number): void;
  /** Registers a function that is called each time the clock moves. */
  onTime(act: (now: UtcMillis, mirror: Mirror) => Promise<void> | void): void;
  /** Runs the mirror until a time, or for a number of sleeps; then closes or crashes it. */
  run(options: {
    readonly until: string | number;
    readonly crash?: boolean;
    readonly sleeps?: number;
  }): Promise<Mirror>;
}

/** A mirror and its upstream. */
export interface VirtualMirror extends RunningMirror {
  readonly world: World;
  readonly account: { readonly id: AccountId; readonly key: string };
  /** Requests that reached the upstream, as `GET /path`. */
  readonly asked: string[];
  /** Statuses of the answers to requests with a key, in order. */
  readonly statuses: number[];
  setWay(way: Way): void;
}

const UPSTREAM = "https://prices.example";

/** A mirror state that is kept in memory. */
export function memoryMirrorState(): MirrorStateStore {
  let text: string | undefined;
  return {
    load: () => (text === undefined ? undefined : JSON.parse(text)),
    save: (state) => void (text = JSON.stringify(state)),
  };
}

/** Creates a mirror, which `run` starts; `send` is its upstream. */
export function createRunningMirror(
  startAt: string,
  options: Partial<MirrorOptions> & Pick<MirrorOptions, "fetch" | "key">,
): RunningMirror {
  const store = createMemoryStore();
  const saved = memoryMirrorState();
  const events: MirrorEvent[] = [];
  let time = Date.parse(startAt);
  let skew = 0;
  let onTime: (now: UtcMillis, mirror: Mirror) => Promise<void> | void = () => undefined;

  function pass(ms: number): void {
    time = Math.ceil(time + ms);
  }

  return {
    store,
    events,
    pass,
    now: () => at(time),
    setSkew: (ms) => void (skew = ms),
    onTime: (act) => void (onTime = act),
    async run({ until, crash = false, sleeps = Infinity }) {
      const end = typeof until === "string" ? Date.parse(until) : until;
      let left = sleeps;
      let isDead = false;
      let finish: () => void = () => undefined;
      const finished = new Promise<void>((resolve) => (finish = resolve));
      const state: MirrorStateStore = {
        load: () => saved.load(),
        save(next) {
          if (isDead) throw new Error("The process is dead");
          return saved.save(next);
        },
      };
      const mirror = await startMirror({
        upstream: UPSTREAM,
        observations: store.observations,
        state,
        clock: () => at(time + skew),
        elapsed: () => time,
        onEvent: (event) => events.push(event),
        ...options,
        async sleep(ms, signal) {
          // A sleep does not wait: it moves the clock, and ends at once.
          await new Promise((resolve) => setImmediate(resolve));
          if (signal.aborted) return;
          if (left-- > 0 && time < end) {
            pass(Math.min(ms, Math.max(0, end - time)));
            await onTime(at(time), mirror);
            if (time < end || signal.aborted) return;
          }
          finish();
          await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
        },
      });
      await finished;
      isDead = crash;
      await mirror.close();
      return mirror;
    },
  };
}

/** Creates an upstream with a key of `units` a day, and a mirror, which `run` starts. */
export async function createVirtualMirror(
  options: Partial<MirrorOptions> & {
    readonly units?: number | null;
    readonly attributionRequired?: boolean;
    readonly startAt?: string;
  } = {},
): Promise<VirtualMirror> {
  const { units = 50, attributionRequired = true, startAt = "2026-11-22T20:00:00Z", ...mirrorOptions } = options;
  const world = await createWorld({}, startAt);
  const account = await world.account({ units, attributionRequired });
  const handle = fetchHandler(world.api);
  const asked: string[] = [];
  const statuses: number[] = [];
  let way: Way = (_, pass) => pass();

  async function send(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const request = new Request(input, init);
    return way(request, async () => {
      asked.push(`${request.method} ${new URL(request.url).pathname}${new URL(request.url).search}`);
      world.setNow(new Date(running.now()).toISOString());
      const answer = await handle(request);
      if (request.headers.has("X-API-Key")) statuses.push(answer.status);
      return answer;
    });
  }
  const running = createRunningMirror(startAt, { key: account.key, fetch: send, ...mirrorOptions });
  return {
    ...running,
    world,
    account,
    asked,
    statuses,
    pass(ms) {
      running.pass(ms);
      world.setNow(new Date(running.now()).toISOString());
    },
    async run(options) {
      const mirror = await running.run(options);
      world.setNow(new Date(running.now()).toISOString());
      return mirror;
    },
    setWay: (next) => void (way = next),
  };
}
