import assert from "node:assert/strict";
import { test } from "node:test";
import { NEW_MIRROR, begun, budgetOf, checked, filled, heard, parseMirrorState, refreshed, writeMirrorState } from "../../../core/mirror/mod.ts";
import type { MirrorState } from "../../../core/mirror/mod.ts";
import { DAY, at } from "../../support/generators.ts";

const NOON = at(Date.parse("2026-11-22T12:00:00Z"));

function lived(): MirrorState {
  const open = refreshed(begun(checked(NEW_MIRROR, true, NOON), { kind: "refresh" }, NOON), ["USD_RLS"], { budget: budgetOf(50), now: NOON });
  const told = heard(open, { isPaid: true, quota: { limit: 50, remaining: 40, resetsAt: at(NOON + DAY / 2) } }, NOON);
  const wanted = { code: "USD_RLS", from: 20_700, to: 20_731, part: "recent" } as const;
  const state = filled(told, wanted, { oldest: at(NOON - DAY), isDoubtful: true, now: NOON });
  return { ...state, pending: [{ code: "USD_RLS", value: 19, businessTime: NOON }] };
}

test("mirror state: it comes back from JSON as it was", () => {
  for (const state of [NEW_MIRROR, lived()]) assert.deepEqual(parseMirrorState(JSON.parse(JSON.stringify(writeMirrorState(state)))), state);
});

test("mirror state: whatever is changed in it to another type is refused by its name", () => {
  const json = JSON.stringify(writeMirrorState(lived()));
  function visit(value: unknown, change: (make: (wrong: unknown) => void) => void): void {
    if (typeof value !== "object" || value === null) return;
    const members = value as Record<string, unknown>;
    for (const name of Object.keys(members)) {
      const before = members[name];
      change((wrong) => (members[name] = wrong));
      members[name] = before;
      visit(before, change);
    }
  }
  const copy: unknown = JSON.parse(json);
  let tried = 0;
  visit(copy, (make) => {
    for (const wrong of [undefined, ["x"]]) {
      make(wrong);
      tried++;
      assert.throws(() => parseMirrorState(copy), TypeError);
    }
  });
  assert.ok(tried > 60, `${tried}`);
  for (const nothing of [null, undefined, 5, "x", [], {}]) assert.throws(() => parseMirrorState(nothing), TypeError);
});
