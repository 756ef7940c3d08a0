import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { IS_NIGHTLY } from "../suite_size.ts";

/** A port of a store, opened for one test. */
export interface Opened<Port> {
  readonly store: Port;
  /** Opens the same data again, so that a case can check it again; absent for stores in memory. */
  readonly reopen?: () => Promise<Port>;
  /** Opens a second handle on the same data, as another process would. Required if `shared` of `Handles` is set. */
  readonly peer?: () => Promise<Port>;
  /** Closes everything that was opened. Called even if the test has failed. */
  close?(): Promise<void>;
}

/** Whether several handles can open the same data, and when one handle sees the writes of another. */
export interface Handles {
  /** Whether the data can be opened twice. If so, each case also runs with two handles. */
  readonly shared?: boolean;
  /** The time after which another handle must see a write. Default: 0, which means at its next call. */
  readonly eventuallyMs?: number;
}

/** Opens an empty store for each test. */
export type Opener<Port> = () => Promise<Opened<Port>>;

/** A rule that each store keeps. A case can also run with `write` on one handle and `check` on another. */
export interface Case<Port> {
  readonly rule: string;
  write(store: Port): Promise<void>;
  check(store: Port): Promise<void>;
  /** Concurrent writes of the case go through both handles, even if each sees the other's writes with a delay. */
  readonly concurrent?: true;
  /** The rule only applies to calls of a single handle. */
  readonly ordered?: true;
  /** The case writes so much that `npm test` leaves it out. Runs once: with two handles if the data can be opened twice. */
  readonly large?: true;
}

/** Tests that a store keeps these rules, with one handle and, if the data can be opened twice, with two handles. */
export function runCases<Port extends object>(
  name: string,
  cases: readonly Case<Port>[],
  open: Opener<Port>,
  { shared = false, eventuallyMs = 0 }: Handles,
): void {
  for (const one of cases.filter(({ large }) => IS_NIGHTLY || !large)) {
    if (!one.large || !shared) test(`${name}: ${one.rule}`, () => opened(open, (store) => alone(one, store)));
    if (!shared) continue;
    test(`${name}, written by one handle and read by another: ${one.rule}`, () =>
      opened(open, (store) => across(one, store, eventuallyMs)));
    if (one.large || one.ordered || (eventuallyMs > 0 && !one.concurrent)) continue;
    test(`${name}, two handles in turn: ${one.rule}`, () => opened(open, (store) => byTurns(one, store, eventuallyMs)));
  }
}

/** Opens a store, and closes it even when the test fails. */
export async function opened<Port>(open: Opener<Port>, act: (store: Opened<Port>) => Promise<void>): Promise<void> {
  const store = await open();
  try {
    await act(store);
  } finally {
    await store.close?.();
  }
}

/** Repeats a check until it succeeds, for at most `ms` milliseconds. */
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
  // Opened before the write, so that this handle has to notice the write.
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

/** A handle that passes its calls alternately to two handles. */
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
