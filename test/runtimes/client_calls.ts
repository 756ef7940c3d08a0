// Returns the outcomes of client calls in the current runtime, as JSON: values, or the name, code and status of errors.
import { createClient, PriceError, QuotaExceeded } from "../../adapters/client/mod.ts";

/** The addresses of the servers, and the keys. */
export interface ClientTask {
  /** A server of the API that also has `/moved`, `/silent` and `/cut`. */
  readonly origin: string;
  readonly key: string;
  /** A key with three units. */
  readonly smallKey: string;
}

export async function clientCalls({ origin, key, smallKey }: ClientTask): Promise<readonly unknown[]> {
  const at = (path: string) =>
    createClient({
      baseUrl: `${origin}${path}`,
      key,
      timeoutMs: path === "/silent" ? 200 : 30_000,
      retries: 0,
      maxCandles: 1_000,
    });
  const client = at("/");
  const small = createClient<string>({ baseUrl: origin, key: smallKey });
  const hours = { interval: "1h", from: "2026-10-10T00:00:00Z", to: "2026-11-22T00:00:00Z" } as const;
  const calls: readonly (() => Promise<unknown>)[] = [
    async () => (await client.status()).status,
    () => client.access(),
    () => client.latest("USD_RLS"),
    () => client.latestOf(["PEPE_USD", "BTC_USD"]),
    () => client.on("USD_RLS", "2026-11-20"),
    () => client.history("USD_RLS", "2026-10-01", "2026-11-21"),
    () => client.candles("USD_RLS", hours),
    () => countOf(client.eachCandle("USD_RLS", { ...hours, interval: "15m" })),
    async () => (await client.catalog({ category: "GOLD" })).length,
    async () => client.quota,
    () => small.latest("USD_RLX"),
    () => countOf(small.eachRecord("USD_RLS", "2026-01-01", "2026-11-21")),
    async () => small.quota,
    () => at("/moved").latest("USD_RLS"),
    () => at("/silent").latest("USD_RLS"),
    () => at("/cut").latest("USD_RLS"),
    () => at("/silent").latest("USD_RLS", { signal: AbortSignal.abort("left") }),
  ];
  const outcomes: unknown[] = [];
  for (const call of calls) outcomes.push(await call().catch(described));
  return outcomes;
}

async function countOf(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) count++;
  return count;
}

function described(error: unknown): unknown {
  if (error instanceof QuotaExceeded) return [error.name, error.code, error.status, error.resetsAt];
  return error instanceof PriceError ? [error.name, error.code, error.status] : String(error);
}

/** Runs the client calls in a Worker. */
export default {
  async fetch(request: Request): Promise<Response> {
    return Response.json(await clientCalls((await request.json()) as ClientTask));
  },
};
