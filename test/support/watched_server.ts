import { PassThrough } from "node:stream";
import type { TestContext } from "node:test";
import { nodeSystem } from "../../adapters/http/node/mod.ts";
import { createLog } from "../../adapters/server/monitoring/server_log.ts";
import { type Standalone, type StandaloneOptions, startStandalone } from "../../adapters/server/standalone.ts";
import { jsonFilesEngine } from "../../adapters/stores/json_files/engine.ts";
import type { Json } from "./api_under_test.ts";
import { until } from "./wait_until.ts";

/** The answer of `/readyz`. */
export interface ReadyAnswer {
  readonly status: number;
  readonly reasons: readonly { readonly code: string; readonly message: string; readonly since: string }[];
}

/** A running server with an admin listener and a log, in this process. */
export interface Watched extends Standalone {
  readonly url: string;
  readonly adminUrl: string;
  /** Sends a request with a key. */
  get(path: string, key?: string): Promise<{ status: number; json: Json }>;
  readyz(): Promise<ReadyAnswer>;
  /** Waits until `/readyz` gives exactly these reason codes; returns that answer. */
  untilReasons(...codes: string[]): Promise<ReadyAnswer>;
  /** Waits until the first reason of `/readyz` has this message; returns that answer. */
  untilMessage(message: string): Promise<ReadyAnswer>;
  /** The log lines so far. */
  log(): readonly Json[];
}

/** Starts a server with an admin listener and a log on the store in `data`, and stops it after the test. */
export async function watched(
  t: TestContext,
  { data = "", ...options }: Partial<StandaloneOptions> & { readonly data?: string },
): Promise<Watched> {
  const { stream, lines } = logStream();
  const log = createLog(stream, { format: "json", clock: nodeSystem.clock });
  const server = await startStandalone({
    host: "127.0.0.1",
    port: 0,
    store: jsonFilesEngine(data, nodeSystem).open,
    adminPort: 0,
    log,
    onError: log.failedRequest,
    ...options,
  });
  t.after(() => server.stop());
  const url = `http://127.0.0.1:${server.address.port}`;
  const adminUrl = String(server.adminUrl);

  async function untilIs(what: string, isSo: (answer: ReadyAnswer) => boolean): Promise<ReadyAnswer> {
    let answer: ReadyAnswer | undefined;
    await until(`/readyz tells ${what}`, async () => isSo((answer = await readyzOf(adminUrl))), 50);
    return answer!;
  }

  return {
    ...server,
    url,
    adminUrl,
    async get(path, key) {
      const response = await fetch(url + path, { headers: key === undefined ? {} : { "X-API-Key": key } });
      return { status: response.status, json: (await response.json()) as Json };
    },
    readyz: () => readyzOf(adminUrl),
    untilReasons: (...codes) =>
      untilIs(`the reasons [${codes.join()}]`, ({ reasons }) => {
        const found = reasons.map(({ code }) => code);
        return found.sort().join() === codes.toSorted().join();
      }),
    untilMessage: (message) => untilIs(`"${message}"`, ({ reasons }) => reasons[0]?.message === message),
    log: lines,
  };
}

/** The answer of `/readyz` of an admin listener. */
export async function readyzOf(adminUrl: string): Promise<ReadyAnswer> {
  const answer = await fetch(`${adminUrl}/readyz`);
  const { reasons } = (await answer.json()) as Pick<ReadyAnswer, "reasons">;
  return { status: answer.status, reasons };
}

/** A stream for a log, and the JSON lines written to it. */
export function logStream(): { readonly stream: PassThrough; lines(): Json[] } {
  const stream = new PassThrough();
  let text = "";
  stream.setEncoding("utf8").on("data", (part: string) => (text += part));
  const lines = (): string[] => text.split("\n").filter((line) => line !== "");
  return { stream, lines: () => lines().map((line) => JSON.parse(line) as Json) };
}
