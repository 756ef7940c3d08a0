import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

/** A port of a store, opened for one test. */
export interface Opened<Port> {
  readonly store: Port;
  /** Opens the same data anew; absent where nothing outlives the process. What was checked before must hold again. */
  readonly reopen?: () => Promise<Port>;
  /** Opens the same data a second time, as another process has it. Needed where `Handles` say `shared`. */
  readonly peer?: () => Promise<Port>;
  /** Closes all that was opened. Called also when the test has failed. */
  close?(): Promise<void>;
}

/** What several handles on the same data see of each other. */
export interface Handles {
  /** Whether the data can be opened a second time: then each case also runs through two handles. */
  readonly shared?: boolean;
  /** How long what one handle writes may stay unseen through another one. Default: 0, the next call sees it. */
  readonly eventuallyMs?: number;
}

/** Gives an empty store for each test. */
export type Opener<Port> = () => Promise<Opened<Port>>;

/** A rule that each store keeps. `write` and `check` also run through different handles. */
export interface Case<Port> {
  readonly rule: string;
  write(store: Port): Promise<void>;
  check(store: Port): Promise<void>;
  /** What it writes at the same time comes through both handles, also where one sees the other's writes later. */
  readonly concurrent?: true;
  /** It is about the order of calls through one handle. */
  readonly ordered?: true;
  /** So much is written that once is enough: through two handles where there are two. */
  readonly large?: true;
}

/** Tests that a store keeps these rules: alone, and through two handles where it can be opened twice. */
export function runCases<Port extends object>(
  name: string,
  cases: readonly Case<Port>[],
  open: Opener<Port>,
  { shared = false, eventuallyMs = 0 }: Handles,
): void {
  for (const one of cases) {
    if (!one.large || !shared) test(`${name}: ${one.rule}`, () => opened(open, (store) => alone(one, store)));
    if (!shared) continue;
    test(`${name}: written here, read there: ${one.rule}`, () =>
      opened(open, (store) => across(one, store, eventuallyMs)));
    if (one.large || one.ordered || (eventuallyMs > 0 && !one.concurrent)) continue;
    test(`${name}: through two handles by turns: ${one.rule}`, () =>
      opened(open, (store) => byTurns(one, store, eventuallyMs)));
  }
}

/** Opens a store, and closes it also when the test fails. */
export async function opened<Port>(open: Opener<Port>, act: (store: Opened<Port>) => Promise<void>): Promise<void> {
  const store = await open();
  try {
    await act(store);
  } finally {
    await store.close?.();
  }
}

/** Checks until it holds, at most as long as a store may take to show another handle's writes; at once where that is 0. */
export async function eventually(ms: number, check: () => Promise<void>): Promise<void> {
  for (const end = performance.now() + ms; ; await delay(5)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() >= end) throw error;
    }
  }
}

async function alone<Port>({ write, check }: Case<Port>, { store, reopen }: Opened<Port>): Promise<void> {
  await write(store);
  await check(store);
  for (let times = 0; reopen && times < 2; times++) await check(await reopen());
}

async function across<Port>(
  { write, check }: Case<Port>,
  { store, peer }: Opened<Port>,
  eventuallyMs: number,
): Promise<void> {
  // Opened before, so that it has to learn of what is written.
  const other = await peer!();
  await write(store);
  await eventually(eventuallyMs, () => check(other));
  await check(store);
}

async function byTurns<Port extends object>(
  { write, check }: Case<Port>,
  { store, peer }: Opened<Port>,
  eventuallyMs: number,
): Promise<void> {
  const other = await peer!();
  await write(alternating(store, other));
  for (const handle of [other, store]) await eventually(eventuallyMs, () => check(handle));
}

/** A handle whose calls go to the one and the other by turns. */
function alternating<Port extends object>(one: Port, other: Port): Port {
  let calls = 0;
  return new Proxy(one, {
    get(_, name) {
      const member: unknown = Reflect.get(one, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        const handle = calls++ % 2 === 0 ? other : one;
        return Reflect.apply(Reflect.get(handle, name) as typeof member, handle, args) as unknown;
      };
    },
  });
}
