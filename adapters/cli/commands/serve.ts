import { setTimeout as delay } from "node:timers/promises";
import { addKey } from "../../../core/internal.ts";
import type { Clock } from "../../../core/mod.ts";
import { nodeSystem } from "../../node/mod.ts";
import { createAccessLog } from "../../operations/access_log.ts";
import { createLog } from "../../operations/log.ts";
import type { Log } from "../../operations/log.ts";
import { formatFor } from "../../operations/log_entry.ts";
import { serveUntil, stopSignal } from "../../serve_until.ts";
import { startStandalone } from "../../standalone.ts";
import type { Standalone, StandaloneOptions } from "../../standalone.ts";
import type { Store } from "../../store/store.ts";
import { defineCommand } from "../command.ts";
import { INIT_OPTION } from "../with_store.ts";
import { DEMO_ACCOUNT, endDemoKey, keepDemoKey } from "../demo_key.ts";
import type { DemoKey } from "../demo_key.ts";
import { CommandFailure, EXIT, messageOf, wrongUsage } from "../failure.ts";
import { growSample } from "../growing_sample.ts";
import { npmEnded } from "../npm_parent.ts";
import { hasSample, prepareSample, withSampleDirectory } from "../sample.ts";
import type { SampleState } from "../sample.ts";
import { stateJson, stateOf, stateText } from "../serve_report.ts";
import type { ServeState } from "../serve_report.ts";
import { SETTING_NAMES } from "../settings.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { mirrorOf, refuseSample } from "../mirror_setting.ts";
import { serverWarnings } from "../setting_conflicts.ts";
import { formatCount } from "../table.ts";

/** A stop does not wait longer for a reader of the report. */
const REPORT_MS = 1_000;
/** A store that is read-only again after it was opened anew is not opened more often. */
const REOPEN_MS = 60_000;

/** Why an address cannot be listened on, by the code of the system's error. */
const HOST_PROBLEMS: ReadonlyMap<unknown, string> = new Map([
  ["EADDRNOTAVAIL", "this machine does not have that address"],
  ["ENOTFOUND", "there is no such name"],
  ["EAI_AGAIN", "that name cannot be looked up"],
]);

const DETAILS = `Answers requests until SIGTERM, SIGINT or SIGHUP, and then finishes those that are open. A setting is
taken from its option, or else from its variable [MAZANEH_…], or else from the config file, where its
name is that of the option in camel case: {"staleThresholdMinutes": 90}.

The start report and the access log go to standard output, the log goes to standard error.

With --sample, a store that holds nothing but made-up prices is continued up to now, at each start
and while the server runs. It has a demo key with 5,000 units a day, in the file demo-key of its
directory, which the page at /docs gives to all who open it. The key ends when import --drop-sample
makes room for prices of one's own.`;

/** `serve`: runs the server. */
export const serve = defineCommand({
  name: "serve",
  operands: "",
  summary: "Serve the API",
  details: DETAILS,
  options: {
    sample: {
      kind: "switch",
      summary: "Serve made-up prices up to now, from ./sample-data unless --data is set, with a demo key for everybody; makes a store as --init does",
    },
    ...INIT_OPTION,
    ...settingOptions(SETTING_NAMES),
  },
  async run(context, { options }) {
    const { terminal, environment, clock, version } = context;
    const given = await settingsInForce(options, environment);
    const { mirror, warnings: ofMirror } = await mirrorOf(given, environment, options.sample);
    const warnings = [...ofMirror, ...(await serverWarnings(given, environment))];
    const settings = options.sample ? withSampleDirectory(given) : given;
    const engine = await context.engine(settings, context);
    const directory = engine.files?.directory;
    if (options.sample && directory === undefined) throw wrongUsage(`--sample serves made-up prices from a directory of their own, not from "${engine.name}"`);
    let sample: SampleState | undefined;
    let isSample: (() => Promise<boolean>) | undefined;
    let demoKey: DemoKey | undefined;

    async function prepare({ observations, readOnly, accounts }: Store): Promise<void> {
      if (mirror) await refuseSample(observations, engine.name);
      const progress = (added: number): void => terminal.progress(`Loading the sample archive: ${formatCount(added)} records`);
      sample = await prepareSample(observations, { wanted: options.sample && !readOnly, now: clock(), progress });
      isSample = () => hasSample(observations);
      if (sample.share !== "all" && !readOnly && directory !== undefined) await endDemoKey(accounts, directory, clock);
    }

    const { values } = settings;
    const { stdout, stderr } = process;
    const log = createLog(stderr, { format: formatFor(values.logFormat, stderr), clock });
    const accessLog = values.accessLog ? createAccessLog(stdout, { format: formatFor(values.logFormat, stdout), clock }) : undefined;
    const logs = { log, accessLog, onError: log.failedRequest };
    // Installed before the store is opened, which may take a while, so that a stop is clean then, too.
    const npmGone = npmEnded(environment).then(() => log.write({ level: "info", event: "stopping", message: "npm has ended: stopping, too" }));
    const signal = Promise.race([stopSignal(log.write), npmGone]);
    await engine.demand("made", options.init || options.sample);
    const server = await start();
    // Made only once the server listens: if the start failed, nobody would ever see the key.
    if (options.sample) demoKey = await (sample!.share === "all" ? demoKeyOf(server.store) : makeFirstKey(server.store, clock));
    const state = await stateOf(server, { settings, sample: sample!, demoKey, warnings }).catch(explain);
    // A reader of the report that is gone, or stuck, must neither end nor hold up the server.
    const reported = terminal.write(options.json ? stateJson(state, context) : stateText(state, context), demoKey?.key).catch(() => undefined);
    logStart(log, state, version);
    const adminPort = server.adminUrl === undefined ? values.adminPort : Number(new URL(server.adminUrl).port);
    const reopen = async (): Promise<Standalone> => {
      const opened = await start({ port: server.address.port, adminPort, reopenAfterMs: REOPEN_MS });
      const code = "store-read-only";
      if (!opened.store.readOnly) log.write({ level: "info", event: "recovered", message: `${code} is over; the store is open for writing`, code });
      return opened;
    };
    const exitCode = await serveUntil(signal, server, log.write, reopen);
    log.write({ level: "info", event: "stopped", message: "Stopped", exitCode });
    await Promise.race([reported, delay(REPORT_MS)]);
    await Promise.all([log.close(), accessLog?.flush()]);
    return exitCode;

    /** The demo key of the sample. Without one, everything else is served. */
    async function demoKeyOf(store: Store): Promise<DemoKey | undefined> {
      try {
        return directory === undefined ? undefined : await keepDemoKey(store, directory, clock);
      } catch (error) {
        log.write({ level: "warn", event: "warning", message: `There is no demo key: ${messageOf(error)}` });
        return undefined;
      }
    }

    async function start(others: Partial<StandaloneOptions> = {}): Promise<Standalone> {
      const page = { isSample: () => isSample?.() ?? false, demoKey: () => (demoKey?.file === undefined ? undefined : demoKey.key) };
      const server = await startStandalone({ ...values, ...logs, ...page, store: engine.open, quota: undefined, assets: settings.assets, version, mirror, prepare, ...others }).catch(explain);
      if (!options.sample || sample!.share !== "all") return server;
      const onError = (error: unknown): void => log.write({ level: "warn", event: "warning", message: `The sample is not continued any more: ${messageOf(error)}` });
      const growing = growSample(server.store.observations, { clock, onError });
      return { ...server, stop: async () => (await growing.stop(), server.stop()) };
    }

    function explain(error: unknown): never {
      if (!(error instanceof Error && "code" in error)) throw engine.explain ? engine.explain(error) : error;
      const problem = HOST_PROBLEMS.get(error.code);
      if (problem !== undefined) throw new CommandFailure(`Cannot listen on ${values.host}, as ${problem}. Choose another with --host`, EXIT.config);
      if (error.code !== "EADDRINUSE") throw error;
      const { host, port, adminPort } = values;
      const [where, flag] = "port" in error && error.port === adminPort ? [`127.0.0.1, port ${adminPort}`, "--admin-port"] : [`${host}, port ${port}`, "--port"];
      throw new CommandFailure(`Cannot listen on ${where}, as another program does. Choose another with ${flag}`, EXIT.failed);
    }
  },
});

/** Makes a key, of no special plan, if there is no key at all and the store holds prices that are not made up. */
async function makeFirstKey({ accounts, readOnly }: Store, clock: Clock): Promise<DemoKey | undefined> {
  if (readOnly || (await accounts.book()).keys.length > 0) return undefined;
  const { key, entry } = await addKey(accounts, { ...nodeSystem, clock }, DEMO_ACCOUNT, { note: "made at the first start" });
  return { id: entry.id, accountId: entry.accountId, key, file: undefined };
}

/** Logs the start for machines. For people, the report has said it. */
function logStart(log: Log, { url, adminUrl, warnings }: ServeState, version: string): void {
  if (log.format === "text") return;
  for (const message of warnings) log.write({ level: "warn", event: "warning", message });
  log.write({ level: "info", event: "started", message: `Listening on ${url}`, url, ...(adminUrl !== undefined && { adminUrl }), version, pid: process.pid });
}
