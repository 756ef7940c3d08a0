import { ingestRoute } from "../../adapters/feeds/push/mod.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { answerCheck } from "../support/openapi_checks.ts";
import { BURST_UNITS, KEYS, SAMPLES } from "./app.ts";
import { CASES } from "./cases.ts";
import { type Answer, answerOf, send } from "./exchange.ts";
import { BUN, DENO, nodeRuntimes, type Runtime } from "./runners.ts";
import { startWorker } from "./workerd.ts";

/** The answers of one runner, and its problems other than wrong answers. */
interface Outcome {
  readonly name: string;
  readonly answers: readonly Answer[];
  readonly problems: readonly string[];
}

const BURST = 60;
const RUNTIMES: Readonly<Record<string, readonly Runtime[]>> = {
  bun: [BUN],
  deno: [DENO],
  workerd: [{ name: "workerd", start: (program) => startWorker("workerd", program, { worker: "worker.ts" }) }],
};

/**
 * Sends all cases to the app on this Node and on every other runtime.
 *
 * @param programs Paths of the other runtimes.
 * @returns A text for each answer that differs from the node:http server's, and for each wrong answer of that server.
 */
export async function compareRuntimes(programs: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const runners = nodeRuntimes("node").map((runtime) => outcomeOf(runtime, process.execPath));
  for (const [name, program] of programs)
    runners.push(...(RUNTIMES[name] ?? nodeRuntimes(name)).map((runtime) => outcomeOf(runtime, program)));
  const [reference, ...others] = await Promise.all(runners);
  const { answers, problems } = reference!;
  return [
    ...unwanted(answers),
    ...problems,
    ...others.flatMap((outcome) => [...outcome.problems, ...differences(outcome, answers)]),
  ];
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

/** Returns the answers to all cases. Sends them in sequence, because each answer reports the units left. */
export async function answersOf(origin: string): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const one of CASES) answers.push(await answerOf(one, origin));
  return answers;
}

/** Problems of the reference: answers that contradict their case or the OpenAPI document. */
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
    const { method = "GET", target = "/" } = request;
    try {
      check({ method, target, status, headers, text: Buffer.from(body, "latin1").toString() });
      return [];
    } catch (error) {
      return [`${rule}: not allowed by the OpenAPI document: ${String(error)}`];
    }
  });
}

/** Sends the first requests all at once. They must not create the app twice, nor get one of the last units twice. */
async function burst(name: string, origin: string): Promise<string[]> {
  const request = { target: `/api/v1/assets/${SAMPLES.many}`, headers: [`X-API-Key: ${KEYS.burst}`] };
  const replies = await Promise.all(Array.from({ length: BURST }, () => send(origin, request)));
  const [served, refused] = [200, 429].map((wanted) => replies.filter(({ status }) => status === wanted).length);
  if (served === BURST_UNITS && refused === BURST - BURST_UNITS) return [];
  return [`${name}: ${BURST_UNITS} of ${BURST} should be served: ${served} were, and ${refused} were refused`];
}

/** The differences between a runner's answers and the reference's, one text for each case. */
export function differences(
  { name, answers }: Pick<Outcome, "name" | "answers">,
  reference: readonly Answer[],
): string[] {
  return CASES.flatMap(({ rule }, at) => {
    const [wanted, given] = [reference[at]!, answers[at]!];
    const missing = wanted.filter((line) => !given.includes(line)).map((line) => `- ${shown([line])}`);
    const added = given.filter((line) => !wanted.includes(line)).map((line) => `+ ${shown([line])}`);
    return missing.length + added.length === 0 ? [] : [[`${name}: ${rule}`, ...missing, ...added].join("\n  ")];
  });
}

function shown(lines: Answer): string {
  return Buffer.from(lines.join(" | "), "latin1").toString().slice(0, 400);
}
