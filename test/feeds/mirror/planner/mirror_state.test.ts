import assert from "node:assert/strict";
import { test } from "node:test";
import {
  begun,
  checked,
  filled,
  hear,
  type MirrorState,
  NEW_MIRROR,
  parseMirrorState,
  refreshed,
  refusedUnit,
  wished,
  writeMirrorState,
} from "../../../../adapters/feeds/mirror/planner/mod.ts";
import { at, DAY } from "../../../support/generators.ts";

const NOON = at(Date.parse("2026-11-22T12:00:00Z"));

function lived(): MirrorState {
  const first = checked(NEW_MIRROR, { isRefused: false, attribution: true }, NOON);
  const open = refreshed(
    begun(first, { kind: "refresh" }, NOON),
    {
      newestOf: new Map([["USD_RLS", NOON]]),
      ...{ newest: NOON, movedTo: NOON, pending: [], midnightAfter: (time) => at(time + DAY) },
    },
    NOON,
  );
  const stated = hear(open.ledger, { limit: 50, remaining: 40, resetsAt: at(NOON + DAY / 2) }, NOON);
  const ledger = { ...refusedUnit(stated, { retryAfterMs: 5, budget: 50 }, NOON) };
  const wanted = { code: "USD_RLS", from: 20_700, to: 20_731, part: "recent" } as const;
  return wished(
    filled({ ...open, ledger }, wanted, { oldest: at(NOON - DAY), newest: NOON, isDoubtful: true, now: NOON }),
    { ...wanted, to: 20_702 },
    NOON,
  );
}

test("mirror state: stays the same when converted to JSON and back", () => {
  for (const state of [NEW_MIRROR, lived()])
    assert.deepEqual(parseMirrorState(JSON.parse(JSON.stringify(writeMirrorState(state)))), state);
});

test("mirror state: if an earlier version saved the state, the members that it did not know have default values", () => {
  const { isPastNext, archive, ...state } = writeMirrorState(lived()) as Record<string, unknown>;
  const [{ missed, ...known }] = archive as [{ missed: unknown }];
  assert.deepEqual([isPastNext, missed], [true, null]);
  assert.deepEqual(parseMirrorState({ ...state, archive: [known] }), lived());
});

test("mirror state: anything that is not a mirror state is refused", () => {
  const others = [1, 2, 4].map((schema) => ({ schema, ledger: {}, archive: [] }));
  for (const nothing of [null, undefined, 5, "x", [], {}, ...others])
    assert.throws(() => parseMirrorState(nothing), TypeError);
});
