import { connect } from "node:net";

/** An answer as received. Field names are in lower case, and repeated fields are joined. */
export interface Reply {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

/** A TCP connection to a server under test, without an HTTP client that would correct requests or answers. */
export interface RawConnection {
  send(bytes: string | Uint8Array): void;
  /** The next answer; `to` is the method of its request. Rejects if the connection closes before the answer's end. */
  reply(to?: string): Promise<Reply>;
  /** Waits until the connection is closed; resolves to the received bytes that do not belong to a reply. */
  rest(): Promise<string>;
  /** Stops reading, like a client that hangs. */
  hang(): void;
  /** Resumes reading; with `once`, for one chunk only. */
  read(once?: "once"): void;
  destroy(): void;
}

/** Options for a client's connection. */
export interface RawOptions {
  /** Keeps the client's half of the connection open when the server closes the other half. */
  readonly allowHalfOpen?: boolean;
  /** The client's address: on Linux any address in 127.0.0.0/8. */
  readonly localAddress?: string;
}

export function connectRaw(origin: string, options: RawOptions = {}): RawConnection {
  const { hostname: host, port } = new URL(origin);
  const socket = connect({ host, port: Number(port), ...options });
  let buffer = Buffer.alloc(0);
  let closed = false;
  let single = false;
  let wake = (): void => undefined;
  socket.on("data", (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    if (single) socket.pause();
    wake();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    closed = true;
    wake();
  });
  const change = (): Promise<void> => new Promise((resolve) => (wake = resolve));

  return {
    send: (bytes) => void socket.write(bytes),
    async reply(to = "GET") {
      for (;;) {
        const found = parseReply(buffer, to, closed);
        if (found) {
          buffer = buffer.subarray(found.end);
          return found.reply;
        }
        if (closed)
          throw new Error(
            `connection closed before the answer was complete: ${JSON.stringify(buffer.toString("latin1").slice(0, 300))}`,
          );
        await change();
      }
    },
    async rest() {
      while (!closed) await change();
      return buffer.toString("latin1");
    },
    hang: () => void socket.pause(),
    read(once) {
      single = once !== undefined;
      socket.resume();
    },
    destroy: () => void socket.destroy(),
  };
}

function parseReply(bytes: Buffer, to: string, closed: boolean): { reply: Reply; end: number } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd === -1) return undefined;
  const [statusLine = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    const before = headers.get(name);
    headers.set(name, (before === undefined ? "" : `${before}, `) + line.slice(colon + 1).trim());
  }
  const status = Number(statusLine.split(" ")[1]);
  const start = headEnd + 4;
  const done = (body: Buffer, end: number) => ({ reply: { status, headers, body }, end });
  if (to === "HEAD" || status < 200 || status === 204 || status === 304) return done(Buffer.alloc(0), start);
  const length = headers.get("content-length");
  if (length !== undefined) {
    const end = start + Number(length);
    return bytes.length < end ? undefined : done(bytes.subarray(start, end), end);
  }
  if (headers.get("transfer-encoding") !== "chunked")
    return closed ? done(bytes.subarray(start), bytes.length) : undefined;
  const chunks: Buffer[] = [];
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    const end = lineEnd + 2 + size;
    if (bytes.length < end + 2) return undefined;
    if (size === 0) return done(Buffer.concat(chunks), end + 2);
    chunks.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
  }
}

/** The parts of a request. The parts are sent unchanged; a Host field is added if there is none. */
export interface RawRequest {
  readonly method?: string;
  readonly target?: string;
  /** Whole lines, `Name: value`. */
  readonly headers?: readonly string[];
  /** With `Content-Length`. */
  readonly body?: string | Uint8Array;
  /** Chunked, without `Content-Length`. */
  readonly chunks?: readonly Uint8Array[];
}

/** Sends one request with `Connection: close` on its own connection, and checks that nothing follows the answer. */
export async function sendRaw(origin: string, request: RawRequest): Promise<Reply> {
  const connection = connectRaw(origin);
  try {
    connection.send(rawRequest({ ...request, headers: [...(request.headers ?? []), "Connection: close"] }));
    const reply = await connection.reply(request.method);
    const rest = await connection.rest();
    if (rest !== "") throw new Error(`more than the answer was sent: ${JSON.stringify(rest.slice(0, 300))}`);
    return reply;
  } finally {
    connection.destroy();
  }
}

/** The bytes of a request. */
export function rawRequest({ method = "GET", target = "/", headers = [], body, chunks }: RawRequest): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers];
  if (!headers.some((line) => /^host:/i.test(line))) lines.push("Host: test.example");
  const parts: Uint8Array[] = [];
  if (body !== undefined) {
    parts.push(Buffer.from(body));
    lines.push(`Content-Length: ${parts[0]!.length}`);
  }
  if (chunks) {
    lines.push("Transfer-Encoding: chunked");
    for (const chunk of chunks) parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
    parts.push(Buffer.from("0\r\n\r\n"));
  }
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), ...parts]);
}
