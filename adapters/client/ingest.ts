import type { Shaped } from "../../core/client_entry.ts";
import type { AssetCode, MarketRecord } from "../../core/mod.ts";
import { type CallOptions, createAsk } from "./call_server.ts";
import { type ClientOptions, parseSettings } from "./client_options.ts";

/** The outcome of pushed records. */
export interface Ingested {
  /** The number of pushed records that are now on the server's disk: accepted, pending, or stored before. */
  readonly stored: number;
  readonly refused: number;
  /** The index of each refused record, from 0, and the reason. At most a hundred for each request. */
  readonly refusals: readonly { readonly index: number; readonly reason: string }[];
}

/** Options of a call. */
export interface IngestCallOptions extends CallOptions {
  /** Called after each request with the outcome so far. If this function throws, the call fails with its error. */
  readonly onProgress?: ((done: Ingested) => void) | undefined;
}

const SHAPE = { stored: "count", refused: "count", refusals: [{ place: "count", reason: "string" }] } as const;
/** Less than the server's limits of one megabyte and 10,000 records, so that no request times out. */
const [MAX_BYTES, MAX_RECORDS] = [900_000, 5_000];

/**
 * Makes a function that pushes any number of records to a server's `POST /ingest`, in consecutive requests. The key
 * must have the right to write. The function throws the same errors as the calls of `createClient`. After a failure it
 * is safe to push all records again, because stored records do not change.
 *
 * @throws TypeError or RangeError for an invalid option.
 */
export function createIngestClient<Code extends string = AssetCode>(
  options: Omit<ClientOptions, "maxCandles">,
): (
  records: Iterable<MarketRecord<Code>> | AsyncIterable<MarketRecord<Code>>,
  options?: IngestCallOptions,
) => Promise<Ingested> {
  const settings = parseSettings(options);
  const encoder = new TextEncoder();

  return async (records, { signal, onProgress } = {}) => {
    let done: Ingested = { stored: 0, refused: 0, refusals: [] };
    let sent = 0;
    let lines: string[] = [];
    let bytes = 0;

    async function flush(): Promise<void> {
      const body = lines.join("\n");
      const send = (_: string, init: RequestInit): Promise<Response> => {
        const headers = { ...init.headers, "Content-Type": "application/x-ndjson" };
        return settings.send(`${settings.base}/ingest`, { ...init, method: "POST", headers, body });
      };
      const answer = await createAsk({ ...settings, send }).get<Shaped<typeof SHAPE>>("", SHAPE, { signal });
      const refusals = answer.refusals.map(({ place, reason }) => ({ index: sent + place - 1, reason }));
      const [stored, refused] = [done.stored + answer.stored, done.refused + answer.refused];
      done = { stored, refused, refusals: [...done.refusals, ...refusals] };
      sent += lines.length;
      [lines, bytes] = [[], 0];
      onProgress?.(done);
    }

    for await (const record of records) {
      const line = JSON.stringify(record);
      const length = encoder.encode(line).length + 1;
      if (lines.length > 0 && (bytes + length > MAX_BYTES || lines.length === MAX_RECORDS)) await flush();
      lines.push(line);
      bytes += length;
    }
    if (lines.length > 0) await flush();
    return done;
  };
}
