import { request } from "node:http";
import type { Agent } from "node:http";

/** Sends a request with a key; resolves to the status of its answer, or to `closed` where the connection ends before. */
export function statusOf(agent: Agent, url: string, key: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent, headers: { "X-API-Key": key } }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(String(answer.statusCode)));
      answer.on("error", () => resolve("closed"));
    });
    sent.on("error", () => resolve("closed"));
    sent.end();
  });
}
