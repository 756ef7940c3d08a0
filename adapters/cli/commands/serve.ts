import { setTimeout as delay } from "node:timers/promises";
import type { UtcMillis } from "../../../core/mod.ts";
import { lastYearOfTables } from "../../intake/levels/expected_prices.ts";
import { createAccessLog } from "../../server/monitoring/access_log.ts";
import { formatFor, isJournal } from "../../server/monitoring/log_entry.ts";
import { createLog, type Log } from "../../server/monitoring/server_log.ts";
import { runUntilStopped } from "../../server/run_until_stopped.ts";
import { startStandalone } from "../../server/standalone.ts";
import { defineCommand, INIT_OPTION } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { chooseEngine } from "../engines/engine.ts";
import { mirrorOf } from "../mirror_setting.ts";
import { switchOption } from "../parse_arguments.ts";
import { followSample, openSample } from "../sample.ts";
import { type ServeState, stateJson, stateOf, stateText } from "../serve_report.ts";
import { serverWarnings } from "../setting_conflicts.ts";
import { SETTING_NAMES } from "../settings.ts";
import type { SettingsInForce } from "../settings_sources.ts";

/** How long a stopping server waits for its start report to be written. */
const REPORT_MS = 1_000;

const DETAILS = `Answers requests until SIGTERM or SIGINT, and then finishes open requests. A setting comes from its
option, or else from its variable [MAZANEH_…].

The start report and the access log go to standard output, the log goes to standard error.

With --sample it serves made-up prices, adding new ones while it runs, with a public market and a
demo key with 5,000 units a day, which the page at /docs gives to everybody. The sample is in
memory: no disk is touched, and the next start makes another key.`;

/** `serve`: runs the server. */
export const serve = defineCommand({
  details: DETAILS,
  settings: SETTING_NAMES,
  options: {
    sample: switchOption("Serve made-up prices from memory, with a demo key for everybody"),
    ...INIT_OPTION,
  },
  async run(context, { options, settings }) {
    const { terminal, environment, clock, version, stopSignal } = context;
    const { logs } = terminal;
    const { values } = settings;
    if (options.sample) demandNoStore(settings);
    const { mirror, warnings: ofMirror } = await mirrorOf(settings, environment);
    const warnings = [...ofMirror, ...serverWarnings(settings, environment)];
    if (!options.sample) warnings.push(...tableWarnings(clock()));
    const log = createLog(logs.events, {
      format: formatFor(values.logFormat, logs.events),
      clock,
      toJournal: isJournal(logs.events, environment),
    });
    const accessLog = values.accessLog
      ? createAccessLog(logs.access, { format: formatFor(values.logFormat, logs.access), clock })
      : undefined;
    // Watch for signals before the store is opened: opening may take a while, and a signal must then stop the server.
    const signal = stopSignal(log.write);

    const sample = options.sample ? await openSample(clock) : undefined;
    const engine = sample ? undefined : await chooseEngine(settings, context);
    await engine?.demand?.(options.init);
    let followed: Awaited<ReturnType<typeof followSample>> | undefined;
    // The warnings above are about the user's own choices, so they do not mention the sample's public market.
    const inForce: SettingsInForce =
      options.sample && !values.publicMarket
        ? {
            ...settings,
            values: { ...values, publicMarket: true },
            sources: { ...settings.sources, publicMarket: "--sample" },
          }
        : settings;
    const server = await startStandalone({
      ...inForce.values,
      log,
      accessLog,
      version,
      mirror,
      assets: settings.assets,
      onError: log.failedRequest,
      isSample: () => followed?.isSample() ?? sample !== undefined,
      demoKey: () => sample?.demoKey.key,
      async store(how) {
        if (sample) return sample;
        const store = await engine!.open(how);
        followed = await followSample(store.observations);
        return store;
      },
    });
    const state = await stateOf(server, { settings: inForce, demoKey: sample?.demoKey, warnings }).catch(
      async (error: unknown) => {
        await server.stop();
        throw error;
      },
    );
    // Not awaited here, and errors are ignored: the program that reads the report may have ended or may hang.
    const reported = terminal
      .write(options.json ? stateJson(state, context) : stateText(state, context), sample?.demoKey.key)
      .catch(() => undefined);
    logStart(log, state, version);
    const exitCode = await runUntilStopped(signal, server, log.write).finally(() => followed?.close());
    log.write({ level: "info", event: "stopped", message: "Stopped", exitCode });
    await Promise.race([reported, delay(REPORT_MS)]);
    await Promise.all([log.close(), accessLog?.flush()]);
    return exitCode;
  },
});

/** Warns if the built-in tables of price levels end before the current year. A newer release has later years. */
function tableWarnings(now: UtcMillis): string[] {
  const last = lastYearOfTables();
  return new Date(now).getUTCFullYear() <= last
    ? []
    : [`The built-in price tables end with ${last}: install a newer version, which finds more wrong prices`];
}

/** Throws a usage failure for options that contradict `--sample`: a store, a mirror, or pushed prices. */
function demandNoStore({ values, sources }: SettingsInForce): void {
  if (values.mirror !== "none" || values.ingest)
    throw wrongUsage("Made-up and real prices must not mix: give --sample without --mirror and --ingest");
  for (const name of ["data", "store", "quota"] as const) {
    if (sources[name] === `--${name}`)
      throw wrongUsage(`--sample serves made-up prices from memory: leave --${name} out`);
  }
}

/** Logs the start, for machines. People read the report on standard output. */
function logStart(log: Log, { url, adminUrl, warnings }: ServeState, version: string): void {
  if (log.format === "text") return;
  for (const message of warnings) log.write({ level: "warn", event: "warning", message });
  const start = { url, ...(adminUrl !== undefined && { adminUrl }), version, pid: process.pid };
  log.write({ level: "info", event: "started", message: `Listening on ${url}`, ...start });
}
