// What one and two instances on PostgreSQL and Redis answer, beside one on JSON files, and what the three ledgers count.
// Everything runs on this machine at once: load, instances, PostgreSQL, Redis, of which the last two must be installed
// (Debian: apt-get install postgresql redis-server).
//
//   npx tsx test/bench/scale_out.ts                  all
//   npx tsx test/bench/scale_out.ts --parts takes    only the ledgers; or --parts http
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CLIENT, PROBE } from "./http/contestants.ts";
import { announce, readOptions, wholeNumber } from "./support/options.ts";
import { buildPrograms } from "./support/program.ts";
import type { Standings } from "./support/rounds.ts";
import { printTable } from "./support/table.ts";
import type { Cell } from "./support/table.ts";
import { INSTANCE } from "./scale_out/houses.ts";
import { measureRequests } from "./scale_out/requests.ts";
import { ENGINES, startEngines } from "./scale_out/start_engines.ts";
import { TAKER, startTaking } from "./scale_out/takes.ts";

const { rounds, format, own } = readOptions("scale_out", { parts: "takes,http", seconds: "1", callers: "64" });
const [seconds, callers] = [Number(own["seconds"]), wholeNumber("callers", own["callers"]!)];
const parts = own["parts"]!.split(",");
announce("Scale-out", rounds, ["load, instances, PostgreSQL and Redis share the cores; a sync to the disk before each answer, but where a row says otherwise"]);

// In the repository, because the directory of temporary files may be in memory, where a sync costs nothing.
const directory = fileURLToPath(new URL("../../.cache/bench/", import.meta.url));
mkdirSync(directory, { recursive: true });
const built = await buildPrograms(ENGINES, PROBE, CLIENT, TAKER, INSTANCE);
const options = { probe: built(PROBE), side: "any" } as const;
const urls = await startEngines(built(ENGINES), directory);

if (parts.includes("takes")) {
  const takes = await startTaking(built(TAKER), options, { urls, directory });
  for (const accounts of [1, 1_000]) {
    const standings = await takes.measure(accounts, rounds, { seconds, callers });
    const title = `Takes of ${accounts === 1 ? "one account" : `${accounts.toLocaleString("en-US")} accounts`}, ${callers} callers`;
    printTable({ title, columns: ["ledger", "a second", "spread", "x JSON files"], rows: rowsOf(standings) }, format);
  }
}
if (parts.includes("http")) {
  for await (const { route, standings, of } of measureRequests(urls, built, { rounds, seconds, connections: callers, directory })) {
    const rows = rowsOf(standings).map((row) => [...row, of(String(row[0])).p99 / 1_000, of(String(row[0])).cpu]);
    printTable({ title: route, columns: ["instances", "requests a second", "spread", "x JSON files", "p99, ms", "µs CPU a request"], rows }, format);
  }
}
process.exit(0);

/** Name, how many a second, their spread, and the ratio to the first. */
function rowsOf(standings: Standings): readonly (readonly Cell[])[] {
  const perSecond = (cost: number): string => Math.round(1_000_000 / cost).toLocaleString("en-US");
  const [first] = standings.all;
  return standings.all.map(({ name, median, lowest, highest }) => {
    return [name, perSecond(median), `${perSecond(highest)}-${perSecond(lowest)}`, standings.timesAsFast(name, first!.name).toFixed(3)];
  });
}
