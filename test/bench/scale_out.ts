// Compares instances on PostgreSQL, with and without Redis, with one on JSON files: requests per second of one and two
// instances, and units per second of the ledgers. Needs both here: apt-get install postgresql redis-server
//
//   npx tsx test/bench/scale_out.ts [--parts takes,http] [--seconds 1] [--callers 64] [--rounds 5]
import { execFileSync } from "node:child_process";
import { startClient } from "./http/load.ts";
import type { EngineUrls } from "./scale_out/engines.ts";
import type { LedgerOrder } from "./scale_out/takes.ts";
import { install, type Server, serve } from "./support/installation.ts";
import { type BenchKeys, benchRequests } from "./support/market.ts";
import { buildPrograms, start, temporaryDirectory } from "./support/processes.ts";
import { begin, digits, printTable, report } from "./support/report.ts";
import { median, runRounds } from "./support/rounds.ts";

const [MAIN, CLIENT] = ["adapters/cli/main.ts", "test/bench/http/load.ts"] as const;
const [ENGINES, TAKES, ACCOUNTS] = [
  "test/bench/scale_out/engines.ts",
  "test/bench/scale_out/takes.ts",
  "test/bench/scale_out/accounts.ts",
] as const;
const MANY_ACCOUNTS = 200;
const WARM_SECONDS = 0.3;

const options = begin("scale_out", {
  parts: "takes,http",
  routes: "one,list,history,ohlc,new ohlc,one of many",
  seconds: "1",
  callers: "64",
});
const [seconds, callers] = [Number(options.seconds), Number(options.callers)];
const directory = temporaryDirectory();
const built = await buildPrograms(MAIN, CLIENT, ENGINES, TAKES, ACCOUNTS);
const engines = start([built(ENGINES)], { env: { TMPDIR: directory }, stop: "SIGTERM" });
const urls = JSON.parse(await engines.printed(/^urls: (.*)$/m)) as EngineUrls;

if (options.parts.includes("takes")) await measureTakes();
if (options.parts.includes("http")) await measureRequests();
process.exit();

async function measureTakes(): Promise<void> {
  const taker = start([built(TAKES), JSON.stringify({ urls, directory })]);
  const names = JSON.parse(await taker.printed(/^ledgers: (.*)$/m)) as readonly string[];
  for (const accounts of [1, MANY_ACCOUNTS, 1_000]) {
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
}

async function measureRequests(): Promise<void> {
  const now = Date.now();
  const files = install(built(MAIN), { MAZANEH_DATA: `${directory}/data` }, now);
  const databases = [
    { name: "PostgreSQL", url: urls.alone, env: { MAZANEH_STORE: urls.alone } },
    {
      name: "PostgreSQL and Redis",
      url: urls.postgres,
      env: { MAZANEH_STORE: urls.postgres, MAZANEH_QUOTA: urls.redis },
    },
  ];
  const contestants: {
    readonly name: string;
    readonly servers: readonly Server[];
    readonly keys: BenchKeys;
    readonly many?: readonly string[];
  }[] = [{ name: "1 on JSON files", servers: [await serve(built(MAIN), files)], keys: files.keys }];
  for (const { name, url, env } of databases) {
    const shared = install(built(MAIN), env, now);
    const many = JSON.parse(
      execFileSync(process.execPath, [built(ACCOUNTS), url, String(MANY_ACCOUNTS)], { encoding: "utf8" }),
    ) as readonly string[];
    const servers = [await serve(built(MAIN), shared), await serve(built(MAIN), shared)];
    contestants.push(
      { name: `1 on ${name}`, servers: servers.slice(0, 1), keys: shared.keys, many },
      { name: `2 on ${name}`, servers, keys: shared.keys, many },
    );
  }
  const send = await startClient(built(CLIENT));
  for (const route of options.routes.split(",")) {
    const cpu = new Map(contestants.map(({ name }): [string, number[]] => [name, []]));
    const isOfMany = route === "one of many";
    const results = await runRounds(
      contestants.map(({ name, servers, keys, many = [keys.rich] }) => ({
        name,
        async run() {
          const requests = isOfMany
            ? many.flatMap((rich) => benchRequests(now, { ...keys, rich }).get("one")!)
            : benchRequests(now, keys).get(route)!;
          const load = { ports: servers.map(({ at }) => at), connections: callers, requests };
          const used = async (): Promise<number> =>
            (await Promise.all(servers.map((server) => server.cpuMicros()))).reduce((sum, micros) => sum + micros, 0);
          await send({ ...load, seconds: WARM_SECONDS });
          const before = await used();
          const answers = await send({ ...load, seconds });
          cpu.get(name)!.push(((await used()) - before) / answers);
          return (seconds * 1_000_000) / answers;
        },
      })),
      options.rounds,
    );
    report(results, {
      title: route,
      unit: "requests a second",
      peers: ["1 on JSON files"],
      show: (cost) => 1_000_000 / cost,
    });
    printTable(
      [route, "µs CPU a request"],
      [...cpu].map(([name, micros]) => [name, digits(median(micros.slice(1)))]),
    ); // The first round warms up.
  }
}
