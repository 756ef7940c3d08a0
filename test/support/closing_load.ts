import { Agent, request } from "node:http";

/** How a client's connection ended: told in the last answer, or without warning. */
export type Ending = "told" | "reset";

/** Starts clients that ask again and again, each on one connection that it keeps, until that is closed. They number themselves in `X-Client`. */
export function askUntilClosed(origin: string, clients: number, path = "/"): Promise<Ending[]> {
  return Promise.all(Array.from({ length: clients }, (_, i) => ask(origin, path, { "X-Client": String(i) })));
}

async function ask(origin: string, path: string, headers: Readonly<Record<string, string>>): Promise<Ending> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      const connection = await new Promise<string | undefined>((resolve, reject) => {
        const sent = request(origin, { agent, path, headers }, (answer) => {
          answer.resume();
          answer.on("error", reject);
          answer.on("end", () => resolve(answer.headers.connection));
        });
        sent.on("error", reject);
        sent.end();
      });
      if (connection === "close") return "told";
    }
  } catch {
    return "reset";
  } finally {
    agent.destroy();
  }
}
