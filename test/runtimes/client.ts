// Runs a client in each runtime against a server on Node. The results must equal those of a client on Node.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { nodeListener } from "../../adapters/http/node/mod.ts";
import { startListener } from "../support/serve_listener.ts";
import { createApp, createStore, KEYS } from "./app.ts";
import { type ClientTask, clientCalls } from "./client_calls.ts";
import { loaderOf } from "./runners.ts";
import { startWorker } from "./workerd.ts";

const run = promisify(execFile);
const PROGRAM = fileURLToPath(new URL("client_program.ts", import.meta.url));

/** The outcomes of the calls on the running Node. */
export async function clientOutcomes(): Promise<readonly unknown[]> {
  return outcomesOf(clientCalls);
}

/** The outcomes in another runtime. `program` is the path of its executable. */
export async function clientOutcomesIn(name: string, program: string): Promise<readonly unknown[]> {
  if (name === "workerd") return outcomesOf((task) => callsInWorker(program, task));
  const deno = ["run", "--no-prompt", "--no-check", "--no-config", "--no-lock", "--allow-net=127.0.0.1"];
  const args = { bun: ["run"], deno }[name] ?? loaderOf(name);
  return outcomesOf(async (task) => {
    const { stdout } = await run(program, [...args, PROGRAM, JSON.stringify(task)], { timeout: 300_000 });
    return JSON.parse(stdout) as unknown[];
  });
}

async function callsInWorker(program: string, task: ClientTask): Promise<readonly unknown[]> {
  const runner = await startWorker("workerd client", program, { worker: "client_calls.ts", reaches: "private" });
  const answer = fetch(runner.origin, { method: "POST", body: JSON.stringify(task) });
  return answer.then(async (given) => (await given.json()) as unknown[]).finally(runner.close);
}

/** The outcomes as JSON, against a new server. */
async function outcomesOf(calls: (task: ClientTask) => Promise<readonly unknown[]>): Promise<readonly unknown[]> {
  const api = nodeListener(createApp(await createStore()));
  const { origin, close } = await startListener((request, response) => {
    const [, place, ...path] = request.url!.split("/");
    if (place === "moved") response.writeHead(307, { Location: `/${path.join("/")}` }).end();
    else if (place === "cut")
      response.writeHead(200, { "Content-Length": 100 }).write('{"code":', () => response.destroy());
    else if (place !== "silent") api(request, response);
  });
  try {
    return JSON.parse(JSON.stringify(await calls({ origin, key: KEYS.main, smallKey: KEYS.small }))) as unknown[];
  } finally {
    await close();
  }
}
