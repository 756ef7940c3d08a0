// Tests how old a follower's data can be. It reads a simulated database, so that no test waits for a real one.
import assert from "node:assert/strict";
import { test } from "node:test";
import { BOUND_MS, type Follower, follow } from "../../../adapters/stores/postgres/follow_changes.ts";
import type { StoreState } from "../../../adapters/stores/postgres/store_state.ts";
import type { AssetCode } from "../../../core/mod.ts";

const [USD, EUR] = ["USD_RLS", "EUR_RLS"] as AssetCode[] as [AssetCode, AssetCode];

interface Played {
  readonly follower: Follower;
  readonly readings: readonly { answer(state: Partial<StoreState>): void; fail(): void }[];
  /** Lets time pass. With `isSuspended`, the steady clock stands still, as while a machine is suspended. */
  pass(ms: number, isSuspended?: boolean): Promise<void>;
  /** Ends the current reading. */
  read(state?: Partial<StoreState>): Promise<void>;
}

/** Tests a follower of a database whose readings end when the test decides, with a clock that the test moves. */
function testFollowing(rule: string, work: (played: Played) => Promise<void>): void {
  test(`follow: ${rule}`, async (t) => {
    let now = 1_000_000;
    let steady: number | undefined;
    const readings: { answer(state: Partial<StoreState>): void; fail(): void }[] = [];
    t.mock.timers.enable({ apis: ["setTimeout"] });
    t.mock.method(Date, "now", () => now);
    t.mock.method(performance, "now", () => steady ?? now);
    const known: StoreState = { storeId: "id", book: 0, counters: new Map() };
    const readState = (): Promise<StoreState> =>
      new Promise((resolve, reject) =>
        readings.push({
          answer: (state) => resolve({ ...known, ...state }),
          fail: () => reject(new Error("the database is away")),
        }),
      );
    const follower = follow(readState);
    t.after(() => follower.close());
    const settle = async (): Promise<void> => {
      for (let i = 0; i < 10; i++) await undefined;
    };
    await work({
      ...{ follower, readings },
      async pass(ms, isSuspended = false) {
        if (isSuspended) steady ??= now;
        now += ms;
        t.mock.timers.tick(ms);
        await settle();
      },
      async read(state = {}) {
        readings.at(-1)!.answer(state);
        await settle();
      },
    });
  });
}

testFollowing(
  "gives no version before the first reading; afterwards, the version is the id and the sum of the counters",
  async ({ follower, read }) => {
    assert.equal(follower.version(), undefined);
    await read({
      storeId: "a",
      counters: new Map([
        [USD, 3],
        [EUR, 4],
      ]),
    });
    const found = [[USD], [USD, EUR], ["BTC_USD" as AssetCode], undefined].map(follower.version);
    assert.deepEqual(found, ["a.3", "a.7", "a.0", "a.7"]);
  },
);

testFollowing(
  "reads twice a second, and gives no version from memory that is older than the bound",
  async ({ follower, readings, read, pass }) => {
    await read();
    await pass(500);
    assert.equal(readings.length, 2);
    await pass(BOUND_MS - 501);
    assert.equal(follower.version(), "id.0");
    await pass(1);
    assert.equal(follower.version(), undefined);
    assert.equal(readings.length, 2, "waits for a reading without an answer instead of starting another");
  },
);

testFollowing("counts the age of a reading from when the reading began", async ({ follower, read, pass }) => {
  await pass(BOUND_MS - 1);
  await read();
  assert.equal(follower.isCurrent(), true);
  await pass(1);
  assert.equal(follower.isCurrent(), false);
});

testFollowing(
  "gives nothing from memory after the machine was suspended, though its steady clock stood still",
  async ({ follower, read, pass }) => {
    await read();
    await pass(BOUND_MS, true);
    assert.equal(follower.version(), undefined);
  },
);

testFollowing("ignores a failed reading, and uses the next one", async ({ follower, readings, read, pass }) => {
  readings[0]!.fail();
  await pass(0);
  assert.equal(follower.version(), undefined);
  await pass(500);
  await read();
  assert.equal(follower.version(), "id.0");
});

testFollowing(
  "ignores a reading that began before the process's own write, and starts another at once",
  async ({ follower, readings, read, pass }) => {
    await read();
    follower.noteWrite();
    assert.equal(follower.isCurrent(), false);
    await pass(5);
    assert.equal(readings.length, 2);
    follower.noteWrite();
    await read({ counters: new Map([[USD, 1]]) });
    assert.equal(follower.isCurrent(), false);
    await pass(5);
    await read({ counters: new Map([[USD, 2]]) });
    assert.equal(follower.version(), "id.2");
  },
);

testFollowing(
  "gives a new map for keys when accounts change, and when all data is replaced",
  async ({ follower, read, pass }) => {
    const states = new Set<object>();
    for (const state of [
      {},
      {},
      { book: 1 },
      { book: 1, counters: new Map([[USD, 1]]) },
      { book: 1, storeId: "restored" },
    ]) {
      await read(state);
      states.add(follower.holders());
      await pass(500);
    }
    assert.equal(states.size, 3);
  },
);

testFollowing("stops reading when closed", async ({ follower, readings, read, pass }) => {
  await read();
  follower.close();
  await pass(5_000);
  assert.equal(readings.length, 1);
});
