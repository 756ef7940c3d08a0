import { ingestRoute } from "../../adapters/feeds/push/mod.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { answerCheck } from "../support/openapi_checks.ts";
import { BURST_UNITS, KEYS, SAMPLES } from "./app.ts";
import { CASES } from "./cases.ts";
import { type Answer, answerOf, send } from "./exchange.ts";
import { BUN, DENO, nodeRuntimes, type Runtime } from "./runners.ts";
import { WORKERD_RUNTIMES } from "./workerd.ts";

/** The answers of one runner, and other problems that it had. */
interface Outcome {
  readonly name: string;
  readonly answers: readonly Answer[];
  readonly problems: readonly string[];
}

const BURST = 60;

/**
 * Sends all cases to the app on the running Node and in each other runtime.
 *
 * @param programs Paths of the other runtimes.
 * @returns A text for each answer that differs from that of the node:http server, or that this should not give.
 */
export async function compareRuntimes(programs: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const runners = nodeRuntimes("node").map((runtime) => outcomeOf(runtime, process.execPath));
  for (const [name, program] of programs)
    runners.push(...runtimesOf(name).map((runtime) => outcomeOf(runtime, program)));
  const [reference, ...others] = await Promise.all(runners);
  const { answers, problems } = reference!;
  return [
    ...unwanted(answers),
    ...problems,
    ...others.flatMap((outcome) => [...outcome.problems, ...differences(outcome, answers)]),
  ];
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
    return { name, answers: await answersOf(runner.origin), problems };
  } finally {
    await runner.close();
  }
}

/** The answers to all cases, one after the other, because each reports the units that are left. */
export async function answersOf(origin: string): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const one of CASES) answers.push(await answerOf(one, origin));
  return answers;
}

/** The answers of the reference that a case does not want, or the OpenAPI document does not allow. */
function unwanted(answers: readonly Answer[]): string[] {
  const check = answerCheck({ routes: [ingestRoute(createMemoryStore())] });
  return CASES.flatMap(({ rule, request, status, code }, at) => {
    const [given, ...lines] = answers[at]!;
    const body = lines.pop() ?? "";
    if (given !== String(status) || (code !== undefined && !body.includes(`"code":"${code}"`)))
      return [`${rule}: ${shown(answers[at]!)}`];
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)]),
    );
    try {
      check({
        method: request.method ?? "GET",
        target: request.target ?? "/",
        status,
        headers,
        text: Buffer.from(body, "latin1").toString(),
      });
      return [];
    } catch (error) {
      return [`${rule}: off the OpenAPI document: ${String(error)}`];
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
  return [
    `${name}: of ${BURST} requests at once ${BURST_UNITS} may be served: ${served} were, ${refused} were refused`,
  ];
}

/** What a runner answers otherwise than the reference, one text for each case. */
export function differences(
  { name, answers }: Pick<Outcome, "name" | "answers">,
  reference: readonly Answer[],
): string[] {
  // A snapshot names its state by its content, and the store of the reference by its changes.
  const compared = (answer: Answer): Answer =>
    name.endsWith("snapshot") ? answer.map((line) => line.replace(/^(etag: )"[^"-]*/, "$1")) : answer;
  return CASES.flatMap(({ rule }, at) => {
    const [wanted, given] = [compared(reference[at]!), compared(answers[at]!)];
    const missing = wanted.filter((line) => !given.includes(line)).map((line) => `- ${shown([line])}`);
    const added = given.filter((line) => !wanted.includes(line)).map((line) => `+ ${shown([line])}`);
    return missing.length + added.length === 0 ? [] : [[`${name}: ${rule}`, ...missing, ...added].join("\n  ")];
  });
}

function shown(lines: Answer): string {
  return Buffer.from(lines.join(" | "), "latin1").toString().slice(0, 400);
}
