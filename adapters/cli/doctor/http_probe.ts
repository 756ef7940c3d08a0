import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { TLSSocket } from "node:tls";
import { parseObject } from "../../../core/internal.ts";
import { GrowingBuffer } from "../../http/request_body.ts";

/** Requests a path below the server's base URL, by default with GET. Rejects if the server does not answer. */
export type Probe = ReturnType<typeof createProbe>;

/** An answer as it arrived: its body is not decompressed, and redirects are not followed. */
export type Answer = Awaited<ReturnType<Probe>>;

interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const PATIENCE_MS = 15_000;
const MAX_BYTES = 4 << 20;

/** Makes a probe. `base` does not end in a slash. */
export function createProbe(base: string) {
  return async (path: string, { method = "GET", headers = {}, body }: Question = {}) => {
    const url = new URL(base + path);
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    // Each request opens its own connection, as a new client would.
    const sent = send(url, {
      method,
      headers: { ...headers, Connection: "close" },
      agent: false,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    sent.end(body);
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const isTls = url.protocol === "https:";
    const ends = isTls ? Date.parse((answer.socket as TLSSocket).getPeerCertificate().valid_to) : undefined;
    const received = new GrowingBuffer();
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      received.add(chunk);
      if (received.length > MAX_BYTES) throw new Error("The answer is too long");
    }
    const names = answer.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
    return {
      status: answer.statusCode!,
      field: (name: string): string | undefined => answer.headers[name]?.toString(),
      /** How many times the header field occurs. */
      count: (name: string): number => names.filter((one) => one === name).length,
      /** The body as it was sent. */
      bytes: Buffer.from(received.filled()),
      /** When the certificate of the server expires; `undefined` without TLS. */
      certificateEnds: ends,
    };
  };
}

/** The body as a JSON object; `undefined` for any other body. */
export function jsonOf({ bytes }: Answer): Readonly<Record<string, unknown>> | undefined {
  return parseObject(bytes.toString()) as Readonly<Record<string, unknown>> | undefined;
}
