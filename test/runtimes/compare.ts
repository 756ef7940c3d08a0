import { performance } from "node:perf_hooks";
import { BURST_UNITS, KEYS, SAMPLES } from "./app.ts";
import { CASES } from "./cases.ts";
import { DIFFERENCES } from "./differences.ts";
import { answerCheck } from "../support/openapi_checks.ts";
import { answerOf, send } from "./exchange.ts";
import type { Answer, Case } from "./exchange.ts";
import { BUN, DENO, nodeRuntimes } from "./runners.ts";
import type { Runtime } from "./runners.ts";
import { WORKERD_RUNTIMES } from "./workerd.ts";

/** The answers of one runner, and other problems that it had. */
interface Outcome {
  readonly name: string;
  readonly answers: readonly Answer[];
  readonly problems: readonly string[];
}

const BURST = 60;

/**
 * Sends all cases to the app in each runtime, and prints each answer that differs from that of the
 * node:http server.
 *
 * @param programs Paths of the runtimes besides the running Node; `undefined` for one that is missing.
 * @returns Whether all that ran agree.
 */
export async function compareRuntimes(programs: ReadonlyMap<string, string | undefined>): Promise<boolean> {
  const began = performance.now();
  const wanted: (readonly [runtime: Runtime, program: string | undefined])[] = [];
  for (const runtime of nodeRuntimes("node")) wanted.push([runtime, process.execPath]);
  for (const [name, program] of programs) {
    for (const runtime of runtimesOf(name)) wanted.push([runtime, program]);
  }
  const present = wanted.flatMap(([runtime, program]) => (program === undefined ? [] : [outcomeOf(runtime, program)]));
  const [reference, ...others] = await Promise.all(present);
  const problems = [
    ...CASES.flatMap((test, at) => (isWanted(test, reference!.answers[at]!) ? [] : [`${test.rule}: ${shown(reference!.answers[at]!)}`])),
    ...reference!.problems,
    ...others.flatMap((outcome) => [...outcome.problems, ...differences(outcome, reference!.answers)]),
  ];
  for (const problem of problems) console.error(`${problem}\n`);
  for (const [{ name }, program] of wanted) console.log(`${program === undefined ? "SKIPPED" : "ran    "} ${name}`);
  const documented = DIFFERENCES.reduce((sum, { rules }) => sum + rules.length, 0);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.log(`${CASES.length} cases, ${problems.length} problems, ${documented} of the cases with a documented difference, ${seconds} s`);
  return problems.length === 0;
}

function runtimesOf(name: string): readonly Runtime[] {
  if (name === "bun") return [BUN];
  if (name === "deno") return [DENO];
  return name === "workerd" ? WORKERD_RUNTIMES : nodeRuntimes(name);
}

async function outcomeOf(runtime: Runtime, program: string): Promise<Outcome> {
  const { name } = runtime;
  const runner = await runtime.start(program);
  try {
    const problems = await burst(name, runner.origin);
    const answers: Answer[] = [];
    // One after the other, because each answer reports the units that are left.
    for (const test of CASES) answers.push(await answerOf(test, runner.origin));
    return { name, answers, problems: [...problems, ...undocumented(name, answers)] };
  } finally {
    await runner.close();
  }
}

/** The answers that the OpenAPI document does not allow. */
function undocumented(name: string, answers: readonly Answer[]): string[] {
  const check = answerCheck({});
  return answers.flatMap((answer, at) => {
    const { rule, request } = CASES[at]!;
    const [status, ...lines] = answer;
    const body = lines.pop() ?? "";
    // Hosts that read a target in another way answer another request.
    const isOther = DIFFERENCES.some(({ rules, runners }) => rules.includes(rule) && runners.test(name));
    if (isOther || status === undefined || !/^\d{3}$/.test(status)) return [];
    const headers = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]));
    try {
      check({ method: request.method ?? "GET", target: request.target ?? "/", status: Number(status), headers, text: Buffer.from(body, "latin1").toString() });
      return [];
    } catch (error) {
      return [`${name}: ${rule}: off the OpenAPI document: ${String(error)}`];
    }
  });
}

/** Sends the first requests all at once: the app must be made once, and the last units granted once. */
async function burst(name: string, origin: string): Promise<string[]> {
  const request = { target: `/api/v1/assets/${SAMPLES.many}`, headers: [`X-API-Key: ${KEYS.burst}`] };
  const replies = await Promise.all(Array.from({ length: BURST }, () => send(origin, request)));
  const served = replies.filter(({ status }) => status === 200).length;
  const refused = replies.filter(({ status }) => status === 429).length;
  if (served === BURST_UNITS && served + refused === BURST) return [];
  return [`${name}: of ${BURST} requests at once ${BURST_UNITS} may be served: ${served} were, ${refused} were refused`];
}

function isWanted({ status, code }: Pick<Case, "status" | "code">, answer: Answer): boolean {
  return answer[0] === String(status) && (code === undefined || answer.at(-1)!.includes(`"code":"${code}"`));
}

/** What a runner answers otherwise than the reference, one text for each case; documented differences left out. */
export function differences({ name, answers }: Pick<Outcome, "name" | "answers">, reference: readonly Answer[]): string[] {
  // A snapshot names its state by its content, and the store of the reference by its changes.
  const compared = (answer: Answer): Answer => (name.endsWith("snapshot") ? answer.map((line) => line.replace(/^(etag: )"[^"-]*/, "$1")) : answer);
  return CASES.flatMap(({ rule }, at) => {
    const [wanted, given] = [compared(reference[at]!), compared(answers[at]!)];
    const documented = DIFFERENCES.find(({ rules, runners }) => rules.includes(rule) && runners.test(name));
    const isSame = wanted.join("\n") === given.join("\n");
    if (documented && isSame) return [`${name}: ${rule}: documented as different, and is not`];
    if (documented) return isWanted(documented, given) ? [] : [`${name}: ${rule}: not the documented difference: ${shown(given)}`];
    if (isSame) return [];
    const missing = wanted.filter((line) => !given.includes(line)).map((line) => `- ${shown([line])}`);
    const added = given.filter((line) => !wanted.includes(line)).map((line) => `+ ${shown([line])}`);
    return [[`${name}: ${rule}`, ...missing, ...added].join("\n  ")];
  });
}

function shown(lines: Answer): string {
  return Buffer.from(lines.join(" | "), "latin1").toString().slice(0, 400);
}
