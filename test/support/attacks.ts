import { rawRequest } from "./raw_http.ts";

/** The host name in the requests of hostile clients. */
export const NAME = "api.example.org";

const ASSET = "/api/v1/assets/USD_RLS";
const DOCS = rawRequest({ target: "/docs", headers: [`Host: ${NAME}`] });
const FAT = rawRequest({ target: "/docs", headers: [`Host: ${NAME}`, `X-A: ${"a".repeat(6_000)}`] });
const MANY_HEADERS = Array.from({ length: 2_000 }, (_, i) => `X-${i}: a`);

/** A hostile client, which writes `first` once, and then `again` every 100 ms. */
export interface HostileClient {
  readonly first: Uint8Array | string;
  readonly again?: Uint8Array | string;
  /** Whether the client reads the answers. */
  readonly reads: boolean;
}

export const FAT_PIPELINES: HostileClient = {
  first: Buffer.concat(Array.from({ length: 60 }, () => FAT)),
  again: Buffer.concat([FAT, FAT, FAT]),
  reads: false,
};

/** The kinds of hostile clients. Some have a key. */
export function hostileClients(key: string): readonly HostileClient[] {
  return [
    FAT_PIPELINES,
    { first: DOCS, again: Buffer.concat([DOCS, DOCS, DOCS, DOCS]), reads: false },
    { first: post([`X-API-Key: ${key}`, "Content-Length: 100"], '{"from'), reads: true },
    { first: post(["Content-Length: 100"], '{"from'), reads: true },
    { first: post(["Transfer-Encoding: chunked"], '5\r\n{"f'), reads: true },
    { first: DOCS, again: "\r\n", reads: true },
    { first: `GET /docs HTTP/1.1\r\nHost: ${NAME}\r\nX-A: `, again: "a", reads: true },
    { first: "", reads: true },
    { first: rawRequest({ headers: [`Host: ${NAME}`, `X-A: ${"a".repeat(60_000)}`] }), reads: true },
    { first: rawRequest({ headers: [`Host: ${NAME}`, ...MANY_HEADERS] }), reads: true },
  ];
}

/** A request whose body does not end. */
function post(headers: readonly string[], begin: string): string {
  const lines = [`POST ${ASSET} HTTP/1.1`, `Host: ${NAME}`, "Content-Type: application/json", ...headers];
  return `${lines.join("\r\n")}\r\n\r\n${begin}`;
}
