import { Agent, type RequestOptions, request } from "node:http";

/** How a client's connection ended: as announced in the last answer, or without an announcement. */
export type Ending = "announced" | "reset";

/** Clients that send request after request, each on one keep-alive connection. */
export interface ClosingLoad {
  /** Settles when each client has had an answer. */
  readonly started: Promise<unknown>;
  /** Settles when all connections are closed. */
  readonly endings: Promise<Ending[]>;
}

/** Starts clients that send requests until their connections are closed. */
export function askUntilClosed(origin: string, clients: number, options: RequestOptions = {}): ClosingLoad {
  const started: Promise<void>[] = [];
  const endings = Array.from({ length: clients }, () => {
    let ending: Promise<Ending> | undefined;
    started.push(new Promise((resolve) => (ending = ask(origin, options, resolve))));
    return ending!;
  });
  return { started: Promise.all(started), endings: Promise.all(endings) };
}

async function ask(origin: string, options: RequestOptions, answered: () => void): Promise<Ending> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      const connection = await new Promise<string | undefined>((resolve, reject) => {
        const sent = request(origin, { ...options, agent }, (answer) => {
          answer.resume();
          answer.on("error", reject);
          answer.on("end", () => resolve(answer.headers.connection));
        });
        sent.on("error", reject);
        sent.end();
      });
      answered();
      if (connection === "close") return "announced";
    }
  } catch {
    return "reset";
  } finally {
    agent.destroy();
  }
}
