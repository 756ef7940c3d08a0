// Clients in a process of their own that ask again and again, each on one connection, until the server ends it. Tells
// its parent when each has been answered once, and then how the connections ended.
import { Agent, request } from "node:http";

/** How the connections of all clients ended, `told` in the last answer or `reset`, and how many answers they got. */
export interface Endings {
  told: number;
  reset: number;
  answers: number;
}

async function ask(url: string, key: string, endings: Endings, answered: () => void): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      const connection = await new Promise<string | undefined>((resolve, reject) => {
        const sent = request(`${url}/api/v1/assets/supported`, { agent, headers: { "X-API-Key": key } }, (answer) => {
          answer.resume();
          answer.on("error", reject);
          answer.on("end", () => resolve(answer.headers.connection));
        });
        sent.on("error", reject);
        sent.end();
      });
      endings.answers++;
      answered();
      if (connection === "close") return void endings.told++;
    }
  } catch {
    endings.reset++;
    answered();
  } finally {
    agent.destroy();
  }
}

const [url = "", key = "", count = "0"] = process.argv.slice(2);
if (process.send && url !== "") {
  const endings: Endings = { told: 0, reset: 0, answers: 0 };
  const started: Promise<void>[] = [];
  const ended = Array.from({ length: Number(count) }, () => {
    let done: Promise<void> | undefined;
    started.push(new Promise((resolve) => (done = ask(url, key, endings, resolve))));
    return done!;
  });
  await Promise.all(started);
  process.send("started");
  await Promise.all(ended);
  process.send(endings);
  process.disconnect();
}
