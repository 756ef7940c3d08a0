import { addKey } from "../../../core/internal.ts";
import { Unavailable } from "../../../core/mod.ts";
import type { Clock, IssuedKey } from "../../../core/mod.ts";
import type { JsonFileStore } from "../../json_files/mod.ts";
import { nodeSystem } from "../../node/mod.ts";
import { serveUntil, startStandalone, stopSignal } from "../../standalone.ts";
import { demandOperands } from "../args.ts";
import { defineCommand } from "../command.ts";
import { INIT_OPTION, demandStore } from "../data_directory.ts";
import { CommandFailure, EXIT } from "../failure.ts";
import { npmEnded } from "../npm_parent.ts";
import { prepareSample, sampleNotice, withSampleDirectory } from "../sample.ts";
import type { SampleState } from "../sample.ts";
import { stateJson, stateOf, stateText } from "../serve_report.ts";
import { SETTING_NAMES } from "../settings.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { takeDirectory } from "../store_session.ts";
import { formatCount } from "../table.ts";

const DEMO_ACCOUNT = "demo";

const DETAILS = `Answers requests until SIGTERM or SIGINT, and then finishes those that are open. A setting is taken
from its option, or else from its variable [MAZANEH_…], or else from the config file, where its name
is that of the option in camel case: {"staleThresholdMinutes": 90}.

With --sample, a store that holds nothing but made-up prices is continued up to now at each start.`;

/** `serve`: runs the server. */
export const serve = defineCommand({
  name: "serve",
  operands: "",
  summary: "Serve the API",
  details: DETAILS,
  options: {
    sample: {
      kind: "switch",
      summary: "Serve made-up prices up to now, from ./sample-data unless --data is set, and make a demo key if there are no keys; makes a store as --init does",
    },
    ...INIT_OPTION,
    ...settingOptions(SETTING_NAMES),
  },
  async run(context, { options, operands }) {
    demandOperands(operands);
    const { terminal, environment, clock } = context;
    const given = await settingsInForce(options, environment);
    const settings = options.sample ? withSampleDirectory(given) : given;
    let sample: SampleState | undefined;
    let notice: (() => Promise<string | undefined>) | undefined;

    async function prepare({ observations, readOnly }: JsonFileStore): Promise<void> {
      const progress = (added: number): void => terminal.progress(`Loading the sample archive: ${formatCount(added)} records`);
      sample = await prepareSample(observations, { wanted: options.sample && readOnly === undefined, now: clock(), progress });
      notice = () => sampleNotice(observations);
    }

    const note = (line: string): void => terminal.note(line);
    const onError = (error: unknown, requestId: string): void => note(`mazaneh: ${requestId}: ${describe(error)}`);
    // Installed before the store is opened, which may take a while, so that a stop is clean then, too.
    const signal = Promise.race([stopSignal(note), npmEnded(environment).then(() => note("npm has ended: stopping, too."))]);
    await demandStore(settings.values.data, { init: options.init || options.sample }, terminal);
    const start = (): ReturnType<typeof startStandalone> => startStandalone({ ...settings.values, assets: settings.assets, prepare, onError, notice: () => notice?.() });
    const server = await takeDirectory(settings.values.data, start, terminal).catch(explain);
    // Made only once the server listens: if the start failed, nobody would ever see the key.
    const canMakeKey = options.sample && server.store.readOnly === undefined;
    const demoKey = canMakeKey ? await makeDemoKey(server.store, clock) : undefined;
    const state = await stateOf(server, { settings, sample: sample!, demoKey });
    await terminal.write(options.json ? stateJson(state, context) : stateText(state, context), demoKey?.key);
    return serveUntil(signal, server, note);

    function explain(error: unknown): never {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      const { host, port } = settings.values;
      if (code !== "EADDRINUSE") throw error;
      throw new CommandFailure(`Cannot listen on ${host}, port ${port}, as another program does. Choose another with --port`, EXIT.failed);
    }
  },
});

/** Makes a key for the demo account if there is no key at all. */
async function makeDemoKey({ accounts }: JsonFileStore, clock: Clock): Promise<IssuedKey | undefined> {
  const { keys } = accounts.book();
  return keys.length > 0 ? undefined : addKey(accounts, { ...nodeSystem, clock }, DEMO_ACCOUNT, { note: "made at the first start" });
}

/** Describes the failure of a request: the message of an expected one, the stack of any other. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error instanceof Unavailable ? error.message : (error.stack ?? error.message);
}
