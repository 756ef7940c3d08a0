// Compares instances on PostgreSQL and Redis with an instance on JSON files: requests per second of one and of two
// instances, and units per second of the ledgers. Needs PostgreSQL and Redis: apt-get install postgresql redis-server
//
//   npx tsx test/bench/scale_out.ts [--parts takes,http] [--rounds 5]
import { startClient } from "./http/load.ts";
import type { EngineUrls } from "./scale_out/engines.ts";
import type { LedgerOrder } from "./scale_out/takes.ts";
import { install, serve } from "./support/installation.ts";
import { benchRequests } from "./support/market.ts";
import { buildPrograms, start, temporaryDirectory } from "./support/processes.ts";
import { begin, compare } from "./support/report.ts";

const [MAIN, CLIENT] = ["adapters/cli/main.ts", "test/bench/http/load.ts"] as const;
const [ENGINES, TAKES] = ["test/bench/scale_out/engines.ts", "test/bench/scale_out/takes.ts"] as const;
const ROUTES = ["one", "list", "history", "ohlc", "new ohlc"];
const [WARM_SECONDS, SECONDS, CALLERS] = [0.3, 1, 64];
const perSecond = (cost: number): number => 1_000_000 / cost;

const { parts, rounds } = begin("scale_out", { parts: "takes,http" });
const directory = temporaryDirectory();
const built = await buildPrograms(MAIN, CLIENT, ENGINES, TAKES);
const engines = start([built(ENGINES)], { env: { TMPDIR: directory }, stop: "SIGTERM" });
const urls = JSON.parse(await engines.printed(/^urls: (.*)$/m)) as EngineUrls;

if (parts.includes("takes")) await measureTakes();
if (parts.includes("http")) await measureRequests();
process.exit();

async function measureTakes(): Promise<void> {
  const taker = start([built(TAKES), JSON.stringify({ urls, directory })]);
  const names = JSON.parse(await taker.printed(/^ledgers: (.*)$/m)) as readonly string[];
  for (const accounts of [1, 200, 1_000]) {
    const run = (ledger: string) => async (): Promise<number> =>
      Number(await taker.ask({ ledger, accounts } satisfies LedgerOrder));
    await compare(
      names.map((name) => ({ name, run: run(name) })),
      { title: `takes of ${accounts} accounts`, rounds, unit: "a second", peers: [names[0]!], show: perSecond },
    );
  }
}

async function measureRequests(): Promise<void> {
  const now = Date.now();
  const main = built(MAIN);
  const files = install(main, { MAZANEH_DATA: `${directory}/data` }, now);
  // Redis database 1, because database 0 has the measured ledger, and a ledger belongs to one installation.
  const shared = install(main, { MAZANEH_STORE: urls.postgres, MAZANEH_QUOTA: `${urls.redis}/1` }, now);
  const servers = [await serve(main, shared), await serve(main, shared)];
  const contestants = [
    { name: "1 on JSON files", servers: [await serve(main, files)], keys: files.keys },
    { name: "1 on PostgreSQL and Redis", servers: servers.slice(0, 1), keys: shared.keys },
    { name: "2 on PostgreSQL and Redis", servers, keys: shared.keys },
  ];
  const send = await startClient(built(CLIENT));
  for (const title of ROUTES) {
    await compare(
      contestants.map(({ name, servers, keys }) => ({
        name,
        async run() {
          const requests = benchRequests(now, keys).get(title)!;
          const load = { ports: servers.map(({ at }) => at), connections: CALLERS, requests };
          await send({ ...load, seconds: WARM_SECONDS });
          return (SECONDS * 1_000_000) / (await send({ ...load, seconds: SECONDS }));
        },
      })),
      { title, rounds, unit: "requests a second", peers: ["1 on JSON files"], show: perSecond },
    );
  }
}
