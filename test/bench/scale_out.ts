// How many units a second the ledgers count. Everything runs on this machine at once, the engines too; PostgreSQL and Redis must be
// installed (Debian: apt-get install postgresql redis-server).
//
//   npx tsx test/bench/scale_out.ts [--seconds 1] [--callers 64] [--rounds 5]
import type { EngineUrls } from "./scale_out/engines.ts";
import type { LedgerOrder } from "./scale_out/takes.ts";
import { buildPrograms, start, temporaryDirectory } from "./support/processes.ts";
import { begin, report } from "./support/report.ts";
import { runRounds } from "./support/rounds.ts";

const [ENGINES, TAKES] = ["test/bench/scale_out/engines.ts", "test/bench/scale_out/takes.ts"] as const;

const options = begin("scale_out", { seconds: "1", callers: "64" });
const [seconds, callers] = [Number(options.seconds), Number(options.callers)];
const directory = temporaryDirectory();
const built = await buildPrograms(ENGINES, TAKES);
const engines = start([built(ENGINES)], { env: { TMPDIR: directory }, stop: "SIGTERM" });
const urls = JSON.parse(await engines.printed(/^urls: (.*)$/m)) as EngineUrls;

const taker = start([built(TAKES), JSON.stringify({ urls, directory })]);
const names = JSON.parse(await taker.printed(/^ledgers: (.*)$/m)) as readonly string[];
for (const accounts of [1, 200, 1_000]) {
  const run = (ledger: string) => async (): Promise<number> =>
    Number(await taker.ask({ ledger, accounts, seconds, callers } satisfies LedgerOrder));
  const results = await runRounds(
    names.map((name) => ({ name, run: run(name) })),
    options.rounds,
  );
  report(results, {
    title: `takes of ${accounts.toLocaleString("en-US")} accounts`,
    unit: "a second",
    peers: [names[0]!],
    show: (cost) => 1_000_000 / cost,
  });
}
process.exit();
