import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "../../adapters/http/web_system.ts";
import { nodeFileSystem, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { AccountId, CalendarDate } from "../../core/branded_types.ts";
import { NOW } from "../support/json_files_fixtures.ts";
import { createPriceModel } from "../support/price_model.ts";
import { observed } from "../support/store_suite.ts";
import { type Asked, findDone, readContent } from "./acknowledged_writes.ts";
import { makeImage, mountImage } from "./mounts.ts";
import { type Act, CHANGED, carryOut, nextAct } from "./price_acts.ts";
import { createRandom, type TrialOfProgram, type TrialResult } from "./random_trial.ts";

const LONGEST_MS = 700;
const START_MS = 5_000;

/**
 * Lets a program write to a file system on a loop device, kills it and copies the device's file at once:
 * what the kernel still held back is not in the copy, as after a power cut. Then opens the copy.
 */
export async function cutPower({ program, directory, seed, rounds, enough }: TrialOfProgram): Promise<TrialResult> {
  const random = createRandom(seed);
  const counts = { cuts: 0, records: 0, units: 0, plans: 0, acts: 0 };
  const violations: string[] = [];
  for (; counts.cuts < rounds && violations.length < enough; counts.cuts++) {
    const place = join(directory, String(counts.cuts));
    const [live, dead] = [join(place, "live"), join(place, "dead")];
    await mkdir(live, { recursive: true });
    await mkdir(dead);
    const image = makeImage(join(place, "image"));
    const copy = join(place, "copy");
    mountImage(image, live);
    let printed: string;
    try {
      await mkdir(join(live, "data"), { mode: 0o700 });
      execFileSync("sync", ["-f", live]);
      const args = [program, join(live, "data"), String(counts.cuts)];
      printed = await writeAndKill(args, 50 + random.below(LONGEST_MS));
      execFileSync("cp", ["--sparse=always", image, copy]);
    } finally {
      execFileSync("umount", ["-l", live]);
    }
    mountImage(copy, dead);
    try {
      const answers = answersIn(printed);
      counts.records += answers.record.length;
      counts.units += Math.max(0, ...answers.unit);
      counts.plans += answers.plan.length;
      counts.acts += answers.act.length;
      violations.push(
        ...(await broken(join(dead, "data"), answers, counts.cuts)).map((problem) => `cut ${counts.cuts}: ${problem}`),
      );
    } finally {
      execFileSync("umount", ["-l", dead]);
    }
  }
  return { ...counts, violations };
}

/** Runs the writer for so long after its first answer; gives what it has printed. */
async function writeAndKill(args: readonly string[], ms: number): Promise<string> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const closed = once(child, "close");
  let printed = "";
  child.stdout.setEncoding("latin1").on("data", (text: string) => (printed += text));
  const timeout = setTimeout(() => child.kill("SIGKILL"), START_MS);
  await Promise.race([once(child.stdout, "data"), closed]);
  await delay(ms);
  clearTimeout(timeout);
  child.kill("SIGKILL");
  await closed;
  return printed;
}

type Answers = Readonly<Record<"record" | "unit" | "plan" | "act", readonly number[]>>;

function answersIn(printed: string): Answers {
  const answers: Record<keyof Answers, number[]> = { record: [], unit: [], plan: [], act: [] };
  for (const line of printed
    .slice(0, printed.lastIndexOf("\n") + 1)
    .split("\n")
    .slice(0, -1)) {
    const [what, number] = line.split(" ");
    answers[what as keyof Answers].push(Number(number));
  }
  return answers;
}

async function broken(data: string, { record, unit, plan, act }: Answers, seed: number): Promise<readonly string[]> {
  const problems: string[] = [];
  if (record.length === 0) problems.push("the writer was never answered");
  try {
    const store = await openJsonFiles(data, { clock: systemClock });
    const found = new Map(
      [...store.observations.records()]
        .filter(({ code }) => !CHANGED.includes(code))
        .map(({ businessTime, value }) => [businessTime, value]),
    );
    const lost = record.filter((minute) => found.get(observed(minute, 1).businessTime) !== minute + 1).length;
    if (lost > 0) problems.push(`${lost} of ${record.length} acknowledged records lost`);
    const used = await store.quota.used("alice" as AccountId, "2026-11-21" as CalendarDate);
    if (used < Math.max(0, ...unit)) problems.push(`${Math.max(...unit)} units served, ${used} known`);
    const names = new Set(store.accounts.book().plans.map(({ name }) => name));
    if (plan.some((number) => !names.has(`PLAN_${number}`)))
      problems.push("an acknowledged change of the accounts is lost");
    if (store.damages.length > 0) problems.push(`${store.damages.length} damages`);
    const done = findDone(actsOf(seed, act.length), await readContent(data, nodeFileSystem, { codes: CHANGED }));
    if (typeof done === "string") problems.push(done);
    await store.close();
  } catch (error) {
    problems.push(`does not open: ${String(error)}`);
  }
  return problems;
}

/** The acts of a child, all but the last of which were answered. */
function actsOf(seed: number, answered: number): readonly Asked<Act>[] {
  const random = createRandom(seed);
  const model = createPriceModel(() => NOW);
  return Array.from({ length: answered + 1 }, (_, i) => {
    const what = nextAct(model, random, { codes: CHANGED, isAlone: true });
    carryOut(model, what);
    const asked = { what, answered: i < answered };
    return what.type === "undo" ? [{ ...asked, what: { ...what, type: "startUndo" } as const }, asked] : [asked];
  }).flat();
}
