import assert from "node:assert/strict";
import { test } from "node:test";
import { IS_NIGHTLY, runs, share } from "../../support/suite_size.ts";
import { SCENARIOS, type Scenario, USUAL } from "./scenarios.ts";
import { boundOf, IMPORTED_DAYS, startWorld, timeOf, widthOf } from "./world.ts";

const DAYS = IS_NIGHTLY ? 60 : 8;
/** In one run of a scenario, at most this many true values may remain unaccepted. */
const MAX_HELD = 3;

for (let seed = 1; seed <= runs(0.3); seed++) {
  for (const scenario of share(SCENARIOS, 6)) {
    test(`attack ${seed}: ${scenario.name}: no answer is further from the true price than the daily bounds allow`, async (t) => {
      const text = await run(scenario, seed);
      t.diagnostic(text);
      assert.match(text, /in bounds/);
    });
  }
}

/** Runs a scenario until something is wrong; returns the problem, or a text with `in bounds`. */
async function run({ attack, night, codes = USUAL, isAlone, silence = 1, name }: Scenario, seed: number) {
  const world = await startWorld(seed);
  /** For each asset, the day on which its prices were last read, and their largest deviation from the truth so far. */
  const reached = new Map(codes.map((code) => [code, { day: -1, off: 0 }]));
  let [problem, furthest, furthestOff, held] = ["", "the truth", 0, 0];

  async function read(code: string, today: number): Promise<void> {
    const before = reached.get(code)!;
    let reach = before.off;
    const served = await world.served(code);
    for (const { route, day, value } of served) {
      const truth = world.truth(code, day);
      const off = Math.abs(Math.log(value / truth));
      const until = Math.max(today, day);
      const gap = isAlone ? Math.min(silence, until + 1) : silence;
      const grown = before.off + widthOf(code, gap) * (until - before.day);
      const limit = Math.min(boundOf(code, until + 1), grown) + 0.2 * boundOf(code, 1);
      const [times, most] = [off, limit].map((logarithm) => Math.exp(logarithm).toPrecision(4));
      const text = `day ${today}, ${route}: ${value} of day ${day}, truth ${truth}: factor ${times}, allowed ${most}`;
      if (!(off <= limit)) problem ||= text;
      if (off > furthestOff) [furthest, furthestOff] = [text, off];
      reach = Math.max(reach, off);
    }
    reached.set(code, { day: today, off: reach });
    const dates = new Set(served.filter(({ route }) => route.includes("/history")).map(({ day }) => day));
    const wanted = IMPORTED_DAYS + (isAlone ? -today : 1);
    const hasLatest = served.some(({ route }) => route.endsWith(`${code} value`));
    if (dates.size < wanted || !hasLatest)
      problem ||= `day ${today}, ${code}: ${dates.size} of ${wanted} days served, latest value: ${hasLatest}`;
  }

  for (let day = 0; day < DAYS && problem === ""; day++) {
    world.goTo(timeOf(day, 6));
    if (!isAlone) held += await world.pushTruth(codes);
    world.goTo(timeOf(day, 10));
    await attack(world, day);
    world.goTo(timeOf(day, 1_380));
    if (!isAlone) held += await world.pushTruth(codes);
    if (day < 4 || day % 5 === 4) for (const code of codes) await read(code, day);
    await night?.(world, day);
    if (held > MAX_HELD) problem ||= `day ${day}: ${held} true values were not accepted`;
  }
  await world.close();
  return `${name}: ${problem || "in bounds"}; furthest: ${furthest}; ${held} true values not accepted`;
}
