import { createZone, MAX_PROVIDER_LENGTH } from "../../../core/internal.ts";
import type { SourceNotes } from "../../intake/tables/plan_columns.ts";
import { watchSignals } from "../../server/signals.ts";
import { MissingStore } from "../../stores/shared/store_error.ts";
import { defineCommand, INIT_OPTION } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { answersOf, FORMAT_OPTIONS, tableOptions } from "../import/format_options.ts";
import { createJsonReport } from "../import/import_json_report.ts";
import { createTextReport } from "../import/import_report.ts";
import { interruptible } from "../import/interruptible_source.ts";
import { filesOf, STANDARD_INPUT } from "../import/open_source.ts";
import { readFile } from "../import/read_file.ts";
import { type ImportRequest, runImport } from "../import/run_import.ts";
import { openSavedFormats } from "../import/saved_formats.ts";
import { assetNamed } from "../market/find_asset_code.ts";
import { type OptionTable, readChoice, switchOption, textOption } from "../parse_arguments.ts";
import { settingOptions } from "../settings_sources.ts";
import { storeOptions } from "../store_options.ts";

const DETAILS = `FILE is a table of prices: CSV, .xlsx, NDJSON or JSON, also in gzip or zip; - is standard input. Each
row has an asset, a value and a time. If anything is unclear, nothing is stored: the questions are
listed, the last line is the command that answers them, and the exit code is 65. New assets, and
changes of more than 1 % of the values, are shown and confirmed at the terminal, or by --yes.
adapters/cli/import/README.md has the options for each kind of file.

  mazaneh import bazaar.csv --code USD_RLS --unit toman --day-at 16:30`;

const OPTIONS = {
  "dry-run": switchOption("Show what the import would do, and write nothing"),
  provider: textOption("NAME", "Provider of records that do not name a provider"),
  "keep-existing": switchOption("Import only new records, and keep stored ones"),
  yes: switchOption("Import new assets and many changed values without asking"),
  doubtful: textOption("WHAT", "accept or pending: what to do with values that look wrong"),
  "last-wins": switchOption("Use the last of several values for one asset and time"),
  "replace-days": switchOption("If a later record hides a value at --day-at, withdraw the day's other records"),
  ...FORMAT_OPTIONS,
  save: textOption("NAME", "Remember these options, except --code, --day and --year"),
  like: textOption("NAME", "Use the options that were remembered with --save"),
  ...INIT_OPTION,
} as const satisfies OptionTable;

/** `import`: reads market records from files. */
export const importCommand = defineCommand({
  details: DETAILS,
  options: OPTIONS,
  async run(context, { options: given, operands, settings, withStore }) {
    if (operands.length === 0) throw wrongUsage("FILE is missing; - is standard input");
    if (operands.filter((name) => name === STANDARD_INPUT).length > 1)
      throw wrongUsage("Standard input can be read only once");
    const formats = await openSavedFormats(context.environment);
    const options = formats.completed(given);
    const { provider, code: codes, ...withoutCode } = options;
    if (provider !== undefined && provider.length > MAX_PROVIDER_LENGTH) {
      throw wrongUsage(
        `--provider must be a name of at most ${MAX_PROVIDER_LENGTH} characters: received "${provider}"`,
      );
    }
    const { assets, values } = settings;
    const named = (codes?.split(",") ?? []).map((code) => assetNamed(code, assets).code);
    const answers = answersOf(withoutCode);
    const { marketTimeZone } = values;
    const zone = createZone(marketTimeZone);
    const formatContext = { marketTimeZone, assets, today: zone.dateAt(context.clock()) };
    const { names } = tableOptions(answers, formatContext);
    const { sheet: sheets, doubtful } = options;
    const wantedSheets = { sheets, names, code: named.length === 1 ? named[0] : undefined };
    const opened = operands.map((file) => filesOf(file, wantedSheets, context.terminal.input));
    const files = (await Promise.all(opened)).flat();
    if (named.length > 1 && named.length !== files.length)
      throw wrongUsage("--code takes one asset for all files, or one for each file, in the same order");
    const tables = files.map((_, file) => {
      const code = named[file] ?? named[0];
      return tableOptions({ ...answers, ...(code !== undefined && { code }) }, formatContext);
    });
    const doubts =
      doubtful === undefined ? {} : { doubtful: readChoice("--doubtful", doubtful, ["accept", "pending"]) };
    const overwriting = (["last-wins", "replace-days"] as const).find((name) => options[name]);
    if (overwriting !== undefined && options["keep-existing"])
      throw wrongUsage(`--${overwriting} and --keep-existing exclude each other`);
    const line = {
      command: `${context.program} import`,
      table: { ...OPTIONS, ...settingOptions(["data"]) },
      options: { ...given, "dry-run": false },
      optionsFor: formats.optionsFor,
    };
    const report = options.json
      ? createJsonReport(context, line)
      : createTextReport(context, storeOptions(settings), line);
    const { signal, dispose } = watchSignals();
    const headers = new Set<string>();
    const request: ImportRequest = {
      files: files.map(({ name }) => name),
      assets,
      provider,
      zone,
      stop: signal,
      dryRun: options["dry-run"],
      keepExisting: options["keep-existing"],
      answers: {
        ...answers,
        yes: options.yes,
        lastWins: options["last-wins"],
        replaceDays: options["replace-days"],
        ...doubts,
      },
      async read(at, watcher) {
        const [file, table] = [files[at]!, tables[at]!];
        const notes: SourceNotes = {};
        const read = await readFile(interruptible(file.read(notes), signal), {
          ...watcher,
          lastWins: options["last-wins"],
          table: { ...table, file: file.name, notes },
        });
        if (read.header !== undefined) headers.add(read.header);
        return read;
      },
    };
    try {
      const code = await withStore(({ imports }) => runImport(imports, request, report, context));
      if (options.save !== undefined && headers.size > 0) await formats.save(options.save, options, [...headers]);
      return code;
    } catch (error) {
      if (!(error instanceof MissingStore && options["dry-run"])) throw error;
      context.terminal.note("There is no store yet; a new store would receive:");
      return await runImport(undefined, request, report, context);
    } finally {
      dispose();
    }
  },
});
