// A client in each runtime, against one server on Node: it gets what a client on Node gets.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { nodeListener } from "../../adapters/node/mod.ts";
import { KEYS, createApp, createStore } from "./app.ts";
import { clientCalls } from "./client_calls.ts";
import type { ClientTask } from "./client_calls.ts";
import { loaderOf } from "./runners.ts";
import { startWorker } from "./workerd.ts";

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL("client_program.ts", import.meta.url));

/**
 * Runs the calls in each runtime, and prints those whose outcome differs from that on Node.
 *
 * @param programs Paths of the runtimes; `undefined` for one that is missing.
 * @returns Whether all that ran agree, and none has sent a key to another server.
 */
export async function compareClients(programs: ReadonlyMap<string, string | undefined>): Promise<boolean> {
  const wanted = await outcomesOf(clientCalls);
  const problems = [...wanted.problems];
  for (const [name, program] of programs) {
    const calls = program === undefined ? undefined : callsIn(name, program);
    if (calls) {
      const given = await outcomesOf(calls);
      problems.push(...given.problems.map((problem) => `${name}: ${problem}`));
      for (const [at, outcome] of wanted.outcomes.entries()) {
        if (given.outcomes[at] !== outcome) problems.push(`${name}, client, call ${at}:\n- ${outcome.slice(0, 400)}\n+ ${given.outcomes[at]?.slice(0, 400)}`);
      }
    }
    console.log(`${calls ? "ran    " : "SKIPPED"} ${name}, client`);
  }
  for (const problem of problems) console.error(`${problem}\n`);
  console.log(`${wanted.outcomes.length} calls of a client, ${problems.length} problems`);
  return problems.length === 0;
}

function callsIn(name: string, program: string): ((task: ClientTask) => Promise<readonly unknown[]>) | undefined {
  if (name === "workerd") return (task) => callsInWorker(program, task);
  const args = { bun: ["run"], deno: ["run", "--no-prompt", "--no-check", "--no-config", "--no-lock", "--allow-net=127.0.0.1"] }[name];
  if (!args && !name.startsWith("node")) return undefined;
  return async (task) => JSON.parse((await run(program, [...(args ?? loaderOf(name)), PROGRAM, JSON.stringify(task)], { timeout: 60_000 })).stdout) as unknown[];
}

async function callsInWorker(program: string, task: ClientTask): Promise<readonly unknown[]> {
  const runner = await startWorker("workerd client", program, { worker: "worker_client.ts", reaches: "private" });
  try {
    const answer = await fetch(runner.origin, { method: "POST", body: JSON.stringify(task) });
    return (await answer.json()) as unknown[];
  } finally {
    await runner.close();
  }
}

/** The outcomes as JSON, against servers of their own. */
async function outcomesOf(calls: (task: ClientTask) => Promise<readonly unknown[]>): Promise<{ outcomes: readonly string[]; problems: readonly string[] }> {
  const problems: string[] = [];
  const elsewhere = await listening((request, response) => {
    problems.push(`a redirect was followed, with the key ${String(request.headers["x-api-key"])}`);
    response.end("{}");
  });
  const api = nodeListener(createApp(await createStore()));
  const server = await listening((request, response) => {
    const [, place] = request.url!.split("/");
    if (place === "moved") response.writeHead(307, { Location: `${originOf(elsewhere)}${request.url}` }).end();
    else if (place === "cut") response.writeHead(200, { "Content-Length": 100 }).write('{"code":', () => response.destroy());
    else if (place !== "silent") api(request, response);
  });
  try {
    const outcomes = await calls({ origin: originOf(server), key: KEYS.main, smallKey: KEYS.small });
    return { outcomes: outcomes.map((outcome) => JSON.stringify(outcome)), problems };
  } finally {
    for (const one of [server, elsewhere]) {
      one.close();
      one.closeAllConnections();
    }
  }
}

async function listening(listener: RequestListener): Promise<Server> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
