import assert from "node:assert/strict";
import { test } from "node:test";
import { createIngestClient, type Ingested, PriceError } from "../../adapters/client/mod.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import { dollar, pushing } from "../support/ingest_suite.ts";

type Way = (request: Request, pass: () => Promise<Response>) => Promise<Response>;

/** A client of a server in this process, and the requests that it sent. */
async function clientOf(way: Way = (_, pass) => pass()) {
  const server = await pushing(createMemoryStore());
  const key = await server.key();
  const sent: string[] = [];
  const send = async (url: string, init: RequestInit): Promise<Response> => {
    sent.push(`${init.method} ${url}`);
    return way(new Request(url, init), () => server.ask("/ingest", key, init));
  };
  return {
    ...server,
    sent,
    ingest: createIngestClient<string>({ baseUrl: "http://prices.example/api/v1/", key, fetch: send }),
  };
}
const records = (count: number): never[] =>
  Array.from({ length: count }, (_, i) => dollar(i + 1, 1_900_000 + i) as never);

test("ingest: sends any number of records in requests of at most 5,000 records and 900 kB; reports progress, and counts indices over all requests", async () => {
  const { ingest, sent, ask } = await clientOf();
  const reports: Ingested[] = [];
  const list = [
    ...records(12_000),
    { code: "NONE", value: 1, businessTime: new Date(0) },
    { code: "USD_RLS", value: "1900000", businessTime: new Date("2026-01-01") },
  ];
  async function* slowly() {
    yield* list;
  }
  const { refusals, ...done } = await ingest(slowly(), { onProgress: (report) => reports.push(report) });
  assert.deepEqual(done, { stored: 12_001, refused: 1 });
  assert.deepEqual([refusals.length, refusals[0]?.index], [1, 12_000]);
  const stored = reports.map(({ stored }) => stored);
  assert.deepEqual(stored, [5_000, 10_000, 12_001]);
  assert.deepEqual(new Set(sent), new Set(["POST http://prices.example/ingest"]));
  const again = await ingest(list as never);
  assert.deepEqual([again.stored, again.refused], [12_001, 1]);
  const qualityMessage = "ریال".repeat(100);
  const large = records(2_000).map((_, i) => dollar(i + 1, 1_900_000 + i, { qualityMessage }) as never);
  sent.length = 0;
  assert.equal((await ingest(large)).stored, 2_000);
  assert.equal(sent.length, 2, "1.8 MB");
  assert.deepEqual([(await ingest([])).stored, sent.length], [0, 2]);
  assert.equal((await ask("/api/v1/status", "")).status, 200);
});

test("ingest: a request whose answer was lost is repeated and changes nothing; a refusal is thrown", async () => {
  let requests = 0;
  const { ingest } = await clientOf(async (_, pass) => {
    const answer = await pass();
    if (requests++ === 0) throw new TypeError("fetch failed");
    return answer;
  });
  assert.deepEqual(await ingest(records(3)), { stored: 3, refused: 0, refusals: [] });
  assert.equal(requests, 2);
  const wrong = await clientOf(async () =>
    Response.json({ code: "ACCESS_RESTRICTED", message: "This key may only read" }, { status: 403 }),
  );
  const error = await wrong.ingest(records(1)).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof PriceError && error.status === 403, String(error));
  const stopped = await clientOf();
  await assert.rejects(stopped.ingest(records(1), { signal: AbortSignal.abort(new Error("stop")) }), /^Error: stop$/);
});
