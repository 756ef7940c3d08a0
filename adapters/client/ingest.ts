import type { Shaped } from "../../core/client_entry.ts";
import type { AssetCode, MarketRecord } from "../../core/mod.ts";
import { type CallOptions, createAsk } from "./call_server.ts";
import { type ClientOptions, parseSettings } from "./client_options.ts";

/** What became of the records that a server was sent: each is counted once. */
export interface Ingested {
  /** Records that are on the server's disk: accepted, pending until the operator decides, or there before. */
  readonly stored: number;
  readonly refused: number;
  /** Records that were refused, by their place from 0, and why; the first hundred of each request. */
  readonly refusals: readonly { readonly index: number; readonly reason: string }[];
}

/** Options of a call. */
export interface IngestCallOptions extends CallOptions {
  /** Called after each request with what became of all records so far. What it throws ends the call. */
  readonly onProgress?: ((done: Ingested) => void) | undefined;
}

const SHAPE = {
  stored: "count",
  refused: "count",
  refusals: [{ place: "count", reason: "string" }],
} as const;
/** A request has less than the megabyte and the 10,000 records that servers take, so that it is answered in time. */
const [MAX_BYTES, MAX_RECORDS] = [900_000, 5_000];

/**
 * Makes a function that pushes records to `POST /ingest` of a server, with a key that may write: any number of them, in
 * requests one after the other. It rejects as the calls of `createClient` do, and may then be
 * made again from the start: what is stored stays unchanged.
 *
 * @throws TypeError or RangeError for an option that is not possible.
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
      const send = (_: string, init: RequestInit): Promise<Response> =>
        settings.send(`${settings.base}/ingest`, {
          ...init,
          method: "POST",
          headers: { ...init.headers, "Content-Type": "application/x-ndjson" },
          body,
        });
      const answer = await createAsk({ ...settings, send }).get<Shaped<typeof SHAPE>>("", SHAPE, { signal });
      const refusals = answer.refusals.map(({ place, reason }) => ({ index: sent + place - 1, reason }));
      done = {
        stored: done.stored + answer.stored,
        refused: done.refused + answer.refused,
        refusals: [...done.refusals, ...refusals],
      };
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
