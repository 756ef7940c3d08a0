import { type Agent, request } from "node:http";

/** The answer to a request. */
export interface Answered {
  /** `closed` where the connection has ended before the answer was whole. */
  readonly status: string;
  /** When the units of the account begin anew, in seconds; `NaN` where nothing was said. */
  readonly resetAt: number;
}

/** Sends a request, with a key where one is given, and with a target as it is where that is not the URL's. */
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
