import { type Agent, request } from "node:http";

/** The answer to a request. */
export interface Answered {
  /** `closed` if the connection ended before the answer was complete. */
  readonly status: string;
  /** The time when the account's units are renewed, in seconds; `NaN` if the answer does not state the time. */
  readonly resetAt: number;
}

/** Sends a request. `path` replaces the path and query of the URL, and is sent unchanged. */
export function ask(
  agent: Agent,
  url: string,
  { key, path }: { readonly key?: string; readonly path?: string },
): Promise<Answered> {
  return new Promise((resolve) => {
    const closed = (): void => resolve({ status: "closed", resetAt: NaN });
    const sent = request(
      url,
      { agent, headers: key === undefined ? {} : { "X-API-Key": key }, ...(path !== undefined && { path }) },
      (answer) => {
        answer.resume();
        answer.on("end", () =>
          resolve({ status: String(answer.statusCode), resetAt: Number(answer.headers["x-ratelimit-reset"]) }),
        );
        answer.on("error", closed).on("close", closed);
      },
    );
    sent.on("error", closed);
    sent.end();
  });
}
