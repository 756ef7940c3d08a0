import { HOUR, MINUTE } from "../../support/generators.ts";
import { createRunningMirror, type RunningMirror } from "../mirror/virtual.ts";
import { CODES, dayOf, IMPORTED_DAYS, iso, timeOf, type World } from "./world.ts";

/** What an attacker does on a day. `attack` runs between the day's two pushes of true prices, `night` after them. */
export type Attack = (world: World, day: number) => Promise<unknown>;

/**
 * An attack and its assets. With `isAlone`, nobody pushes true prices. `silence` is the longest time between two
 * accepted values of a source, in days (default: 1).
 */
export type Scenario = Readonly<{
  name: string;
  attack: Attack;
  codes?: readonly string[];
  night?: Attack;
  isAlone?: boolean;
  silence?: number;
}>;

/** The assets of most scenarios. */
export const USUAL: readonly string[] = ["USD_RLS", "BTC_USD"];
const RIAL = CODES.filter((code) => code.endsWith("_RLS"));
const UNKNOWN = ["STOCK_IR", "LINK_USD", "NEWCOIN_USD"];

/** Lets 12 minutes pass on day 0, fewer on later days. Returns these minutes, as business times of records to push. */
function minutesOf(world: World, day: number): readonly number[] {
  const count = Math.max(3, 12 - 3 * day);
  world.pass(count);
  return Array.from({ length: count }, (_, i) => world.now() - (count - i) * MINUTE);
}

/** Pushes values, each `step` times the key's last accepted value. After a refusal, the steps are smaller. */
async function climb(
  world: World,
  code: string,
  { times, step, key = 0 }: { times: readonly number[]; step: number; key?: number },
): Promise<void> {
  const name = `${key} ${code}`;
  let grow = step;
  for (const time of times) {
    const next = (world.levels.get(name) ?? 1) * grow;
    const { accepted, replaced } = await world.push([world.record(code, next, time)], world.attackers[key]);
    if (Number(accepted) + Number(replaced) > 0) world.levels.set(name, next);
    else grow = Math.sqrt(grow);
  }
}

/** Each day, pushes values that grow by the factor `step`, one for each time from `timesOf`. */
function steps(codes: readonly string[], step: number, timesOf = minutesOf, keyOf = (_day: number) => 0): Attack {
  return async (world, day) => {
    for (const code of codes) await climb(world, code, { times: timesOf(world, day), step, key: keyOf(day) });
  };
}

/** Pushes rising values for one minute of each past day, from the newest day to the oldest and back. */
function sweeps(minute: number): Attack {
  return steps(USUAL, 1.3, (_, day) => {
    const days = Array.from({ length: day < 2 ? 29 : 2 }, (_, back) => timeOf(day - 1 - back, minute));
    return Array.from({ length: day < 2 ? 2 : 1 }, () => [...days, ...days.toReversed()]).flat();
  });
}

/** At a minute of each day, pushes rising values for this minute, five minutes later and four minutes earlier. */
function nearMinute(minute: number): Attack {
  return steps(USUAL, 1.35, (world, day) => {
    world.goTo(timeOf(day, minute));
    return [0, 5, -4].map((ahead) => timeOf(day, minute + ahead));
  });
}

/** Pushes bodies whose values are `factorsOf` times the true price; `level` is the factor of the latest value. */
function bodies(codes: readonly string[], factorsOf: (level: number, day: number) => readonly number[]): Attack {
  return async (world, day) => {
    for (let body = 0; body < (day < 3 ? 3 : 1); body++) {
      world.pass(20);
      const records = codes.map(async (code) => {
        const factors = factorsOf(await world.latestFactor(code), day);
        return factors.map((factor, i) => world.record(code, factor, world.now() - (factors.length - i) * 1_000));
      });
      await world.push((await Promise.all(records)).flat());
    }
  };
}

/** Withdraws stored values and pushes others. Then withdraws the value that it has pushed last, and pushes another. */
const withdrawals: Attack = async (world, day) => {
  for (const code of USUAL) {
    const times = [6, 720, 1_380].flatMap((minute) => Array.from({ length: 30 }, (_, i) => timeOf(day - i, minute)));
    const past = times.filter((time) => time < world.now());
    await world.push(past.map((time) => ({ ...world.record(code, 1, time), qualityStatus: "REJECTED" })));
    await climb(world, code, { times: minutesOf(world, day), step: 3 });
    await climb(world, code, { times: [world.now()], step: 1.35 });
    await world.push([{ ...world.record(code, 1), qualityStatus: "REJECTED" }]);
    await climb(world, code, { times: [world.now()], step: 1.35 });
  }
};

/** A mirror whose upstream multiplies either the latest values or the history by `lie`. `age` is in days. */
function lyingMirror(part: "latest" | "history", lie: (day: number, answers: number, age: number) => number): Attack {
  function start(world: World): RunningMirror {
    let answers = 0;
    async function answer(input: string | URL | Request): Promise<Response> {
      const { pathname } = new URL(String(input));
      const [now, today] = [world.now(), dayOf(world.now())];
      if (!pathname.includes("/assets")) return Response.json({ serverTime: iso(now), attributionRequired: false });
      const isHistory = pathname.endsWith("/history");
      const isLying = isHistory === (part === "history");
      if (isLying) answers++;
      const factorOf = (age: number): number => (isLying ? lie(today, answers, age) : 1);
      const ages = Array.from({ length: IMPORTED_DAYS }, (_, i) => i + 1);
      const past = ages.map((age) => world.record("USD_RLS", factorOf(age), timeOf(today - age, 720)));
      return Response.json(isHistory ? past : USUAL.map((code) => world.record(code, factorOf(0), now - MINUTE)));
    }
    return createRunningMirror(iso(world.now()), {
      ...{ key: "any", fetch: answer, codes: ["USD_RLS" as never] },
      observations: world.observations(),
    });
  }

  return async (world) => {
    const mirror = (world.mirror ??= start(world));
    mirror.onTime(world.goTo);
    mirror.pass(world.now() - mirror.now());
    await mirror.run({ until: world.now() + 2 * HOUR });
  };
}

/** Several attacks, one after the other. */
function allOf(...attacks: readonly Attack[]): Attack {
  return async (world, day) => {
    for (const act of attacks) await act(world, day);
  };
}

const repeated = bodies(USUAL, () => [2.5, 2.5]);
const toman = bodies(RIAL, (_, day) => (day < 14 ? [0.1, 0.1] : []));
const median = bodies(USUAL, (level) => [level, ...Array.from({ length: 40 }, () => level * 1.9), level]);
const others = bodies(RIAL, (level) => [level * 1.5]);
const manySteps = bodies(USUAL, (level) => Array.from({ length: 40 }, (_, i) => level * 1.1 ** (i + 1)));
const usual = steps(USUAL, 1.5);
const unknown = steps(UNKNOWN, 1.5);
const sameTime = steps(UNKNOWN, 1.5, (world) => Array.from({ length: 10 }, () => world.now()));
const replaced = steps(USUAL, 1.3, (_, day) => [6, 1_380, 6, 1_380].map((minute) => timeOf(day, minute)));
const midnight = allOf(nearMinute(1_438), nearMinute(1_441));
const restarts = allOf(usual, (world) => world.restart(), usual);
const lies = lyingMirror("latest", (_, answers) => 1.5 ** answers);
const dailyLies = lyingMirror("latest", (day, answers) => 1.35 ** (day + 1 + (answers % 3)));
const pastLies = lyingMirror("history", (_, answers, age) => 1.3 ** Math.min(age, answers));
const pushes = allOf(manySteps, median, others, unknown, sameTime, withdrawals);
const all = allOf(lies, sweeps(720), usual, pushes);
const ALONE = { isAlone: true, silence: 99 };

/** Each attack alone, and most of them at once. */
export const SCENARIOS: readonly Scenario[] = [
  { name: "steps up", attack: steps(CODES.slice(0, 6), 1.5), codes: CODES.slice(0, 6) },
  { name: "steps down", attack: steps(CODES.slice(6), 1 / 1.5), codes: CODES.slice(6) },
  { name: "steps of nearly 2", attack: steps(USUAL, 1.99) },
  { name: "steps, without true prices", attack: usual, isAlone: true },
  { name: "many steps in one body", attack: manySteps },
  { name: "extreme values within a body", attack: median },
  { name: "most other assets move, too", attack: others, codes: RIAL },
  { name: "a value repeated", attack: repeated },
  { name: "a value repeated, without true prices", attack: repeated, ...ALONE },
  { name: "unknown assets", attack: unknown, codes: UNKNOWN },
  { name: "sweeps of the past", attack: sweeps(720) },
  { name: "corrections of true values", attack: sweeps(6) },
  { name: "true values replaced each night", attack: allOf(), night: replaced },
  { name: "values slightly in the future around midnight", attack: allOf(), night: midnight, silence: 2 },
  { name: "REJECTED, then anything", attack: withdrawals },
  { name: "toman for 14 days", attack: toman, codes: RIAL },
  { name: "toman, without true prices", attack: toman, codes: RIAL, ...ALONE },
  { name: "two keys take turns", attack: steps(USUAL, 1.5, minutesOf, (day) => Math.floor(day / 5) % 2), silence: 6 },
  { name: "restarts", attack: restarts },
  { name: "a mirror of a lying upstream", attack: lies },
  { name: "a mirror of an upstream whose lies grow each day", attack: dailyLies },
  { name: "a mirror of an upstream with a false history", attack: pastLies },
  { name: "all at once", attack: all, codes: [...USUAL, ...UNKNOWN], night: midnight, silence: 31 },
];
