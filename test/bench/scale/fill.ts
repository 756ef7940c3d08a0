import pg from "pg";
import { systemClock } from "../../../adapters/http/web_system.ts";
import { openJsonFiles } from "../../../adapters/stores/json_files/mod.ts";
import { openPostgres } from "../../../adapters/stores/postgres/mod.ts";
import { addOutcomes, type ImportPlan, NOTHING_DONE } from "../../../adapters/stores/shared/imports.ts";
import { ASSETS, type Observation } from "../../../core/mod.ts";
import { toObservation } from "../support/market.ts";

// A separate process that fills a new store with one import: each minute has a record of every asset. It adds a record
// with a second import.
const [place, count, end] = [process.argv[2]!, Number(process.argv[3]), Number(process.argv[4])];
const MINUTE = 60_000;
const BATCH = 20_000;
const steps = Math.ceil(count / ASSETS.length);
const pool = place.startsWith("postgres:") ? new pg.Pool({ connectionString: place }) : undefined;
const options = { clock: systemClock };
const store = await (pool ? openPostgres(pool, { ...options, follow: false }) : openJsonFiles(place, options));
await importAll(count, (n) => observation(n, Math.floor(n / ASSETS.length) - steps));
await importAll(1, () => observation(0, -steps - 1));
await store.close();
await pool?.end();

async function importAll(records: number, make: (n: number) => Observation): Promise<void> {
  const plan: ImportPlan = { type: "import", subjects: ["bench"], source: "import", by: { pid: 1, host: "bench" } };
  const { id } = await store.imports.begin(plan);
  let outcome = NOTHING_DONE;
  for (let from = 0; from < records; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, records - from) }, (_, i) => make(from + i));
    outcome = addOutcomes(outcome, await store.imports.append(id, batch, false));
  }
  await store.imports.finish(id, { ...outcome, refused: 0, providers: [], complete: true });
}

function observation(n: number, minutes: number): Observation {
  const { code } = ASSETS[n % ASSETS.length]!;
  return toObservation({ code, time: end + minutes * MINUTE, value: 1_000_000 + (n % 9_973) * 50 });
}
