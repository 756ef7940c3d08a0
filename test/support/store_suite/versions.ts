import assert from "node:assert/strict";
import { test } from "node:test";
import type { AssetCode } from "../../../core/branded_types.ts";
import type { Observations, Versioned } from "../../../core/ports.ts";
import type { SuiteObservations } from "./expected_observations.ts";
import { at, EUR, MINUTE, observed, USD } from "./records.ts";
import { eventually, type Handles, type Opener, opened } from "./suite.ts";

const BOTH = [USD, EUR];
const BATCHES = [[], [observed(1, 10)], [observed(1, 11), observed(2, 20)], [observed(0, 1, { code: EUR })]];

/** Tests that each state has a version of its own, and that every reader sees the same version for a state. */
export function versionTests(
  name: string,
  open: Opener<SuiteObservations>,
  { shared = false, eventuallyMs = 0 }: Handles,
): void {
  test(`${name}: each read returns the version of the requested assets' state, and two states never have the same version`, () =>
    opened(open, async ({ store, reopen }) => {
      const seen = new Set<string>();
      let observations = store;
      for (const batch of BATCHES) {
        await observations.append(batch);
        assert.deepEqual(new Set(await namedBy(observations)), new Set([await observations.version([USD])]));
        const version = await observations.version(BOTH);
        assert.match(version, /^[A-Za-z0-9.]+$/);
        const reads = [await observations.latest(BOTH), await observations.coverage(BOTH)];
        const versions = reads.map((read) => read.version);
        assert.deepEqual(versions, [version, version]);
        assert.ok(!seen.has(version), version);
        seen.add(version);
        if (!reopen) continue;
        observations = await reopen();
        assert.equal(await observations.version(BOTH), version, "the same state has the same version");
      }
      const before = [await observations.version(BOTH), await observations.version()];
      await observations.append([observed(5, 5, { code: "BTC_USD" as AssetCode })]);
      assert.equal(await observations.version(BOTH), before[0], "a record of another asset does not change it");
      assert.notEqual(await observations.version(), before[1]);
      await opened(open, async ({ store: other }) => {
        await other.append(BATCHES[1]!);
        assert.ok(!seen.has(await other.version(BOTH)), "two stores never share a version");
      });
    }));

  if (!shared) return;
  test(`${name}: two handles give a state the same version, and every read has that version`, () =>
    opened(open, async ({ store, peer }) => {
      const handles = [store, await peer!()] as const;
      for (const [i, batch] of BATCHES.entries()) {
        const [writer, reader] = i % 2 === 0 ? handles : handles.toReversed();
        await writer!.append(batch);
        const named = await namedBy(writer!);
        assert.deepEqual(await namedBy(reader!), named, "a read returns the version of its own state, without delay");
        const versions = await versionsOf(writer!);
        assert.equal(versions[0], named[0]);
        await eventually(eventuallyMs, async () => assert.deepEqual(await versionsOf(reader!), versions));
      }
    }));
}

async function namedBy(observations: Observations): Promise<readonly string[]> {
  const window = { from: at(0), to: at(15) };
  const found = [
    observations.latest([USD]),
    observations.coverage([USD]),
    observations.lastOfEach(USD, [at(0), at(9)]),
    observations.candles(USD, window, 15 * MINUTE),
  ];
  return (await Promise.all<Versioned<unknown>>(found)).map(({ version }) => version);
}

async function versionsOf(observations: Observations): Promise<readonly string[]> {
  return Promise.all([observations.version([USD]), observations.version(BOTH), observations.version()]);
}
