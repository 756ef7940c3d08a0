import { createZone, MAX_PROVIDER_LENGTH } from "../../../core/internal.ts";
import { watchSignals } from "../../server/signals.ts";
import { MissingStore } from "../../stores/shared/store_error.ts";
import { defineCommand } from "../command.ts";
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
import type { OptionTable } from "../parse_arguments.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { storeOptions } from "../store_options.ts";
import { INIT_OPTION, withStore } from "../with_store.ts";

const DETAILS = `FILE is a table of prices: CSV with commas, semicolons or tabs, an .xlsx workbook, NDJSON, or JSON as
this API, pandas and price services write it; plain or compressed with gzip or zip, of which each
file is read, and so is each sheet with the same header or the name of an asset; - is standard
input. What a file is, its first bytes and lines tell, not its name.
One line says how it is read. If a file leaves something open, nothing of it is imported: all
questions are listed, and the last line is the command that answers them, unless only you know an
answer or no option helps. --save remembers that command's options in
~/.config/mazaneh/imports.json for files that look the same.

CSV begins with a header, or with a date and a number; NDJSON has one object a line. The names, in
any order:
  code            an asset of the catalog, e.g. USD_RLS, or a name such as دلار or BTC-USD; or
                  symbol, asset, name, نماد …; or --code for all
  value           a decimal number above zero, in the asset's quote unit (rial for _RLS); or price,
                  rate, قیمت, نرخ; or a column for each asset, headed by its code or name
  businessTime    ISO 8601 with a zone, e.g. 2026-01-31T12:00:00Z; or date, time, datetime,
                  timestamp, تاریخ, زمان; or a date and its hours: date and time, تاریخ and ساعت;
                  or year, month and day
and optionally sourceTime, provider, qualityStatus (ACCEPTED, PENDING or REJECTED) and
qualityMessage. --map names other columns, by name or number, and open, high, low, close and end of
candles; the rest are ignored. In CSV, a provider or message that begins with an apostrophe and =, +,
- or @ loses the apostrophe, which export adds.

A name with several meanings is asked about, and --names says which one is meant. A name may tell
more: USDT/TMN is in toman, ۱۰۰ ین for a hundred. Tables of bonbast, tgju and Nobitex are known by
their names, and read in their units and scales. A title, sheet or file that is named after another
asset than --code is asked about.

Numbers and dates may have Persian or Arabic digits, and numbers thousands separators. A unit (toman,
rial, dollar) in the name of a column, a title, a column unit or beside values is followed, and so
are a zone and a calendar in the name of a column of times: time_utc, تاریخ (شمسی). Dates may
stand without an hour (--day-at), a zone (--zone) or a year (--year), with the year last
(--date-order), with names of months and in the Jalali calendar; a list may have none at all (--day).
Times may be counts since 1970 or Excel's numbers of days. Of candles (open, high, low, close; باز,
بیشترین, کمترین, پایانی) the close is stored at the end of its candle, with --ohlc all four. In a
table, a blank value, - and N/A are skipped, and so are rows of totals and titles above the header.

  mazaneh import bazaar.csv --code USD_RLS --unit toman --day-at 16:30
  mazaneh import wide.csv --names طلا=GOLD_18_RLS,x=EUR_RLS --day-at 16:30

A record replaces an earlier one of the same code and business time; one that is there already,
with nothing to change, is counted as unchanged and not stored again. Rejected lines are reported,
those with the same reason together, and the other lines are imported; if a file cannot be read,
the other files are imported. The exit code is then 65. A file may be imported again. A running
server serves each batch at once. imports undo takes an import back.

All files are looked through before anything is written. Assets without prices so far are shown
with their lowest, last and highest value, and so are changes of more than 1 % of the existing
values: a terminal asks, elsewhere --yes answers. Values that look wrong by their neighbours, their
year, the dollar and gold of their days are refused; --doubtful pending lets them wait, and
--doubtful accept takes them. Two values of one asset and time are refused without --last-wins, or,
where a column such as a city tells them apart, without --where; and values at --day-at that a later
one of their day would hide without --replace-days. The exit code is then 65, and the last line is
the command that goes on. A column that a table does not have leaves what is stored. Files are read
once: what is stored is what was shown. A program that sends prices as they come pushes them to
POST /ingest instead.`;

const OPTIONS = {
  "dry-run": { kind: "switch", summary: "Say what the import would do, and write nothing" },
  provider: { kind: "text", placeholder: "NAME", summary: "Provider of the records that name none" },
  "keep-existing": { kind: "switch", summary: "Leave records that are there as they are; the others are imported" },
  yes: {
    kind: "switch",
    summary: "Import without a question what is shown: assets that are new, and many changed values",
  },
  doubtful: {
    kind: "text",
    placeholder: "WHAT",
    summary: "accept, or pending: what becomes of values that look wrong; pending ones wait for pending accept",
  },
  "last-wins": { kind: "switch", summary: "Of several values of one asset and time, take the last one" },
  "replace-days": {
    kind: "switch",
    summary: "Take back the other records of days whose value --day-at would put before them",
  },
  ...FORMAT_OPTIONS,
  save: {
    kind: "text",
    placeholder: "NAME",
    summary: "Remember how these files are read: all of these options but --code, --day and --year",
  },
  like: { kind: "text", placeholder: "NAME", summary: "Read as was remembered with --save" },
  ...INIT_OPTION,
  ...settingOptions(["data"]),
} as const satisfies OptionTable;

/** `import`: reads market records from files. */
export const importCommand = defineCommand({
  details: DETAILS,
  options: OPTIONS,
  async run(context, { options: given, operands }) {
    if (operands.length === 0) throw wrongUsage("FILE is missing; - is standard input");
    if (operands.filter((name) => name === STANDARD_INPUT).length > 1)
      throw wrongUsage("Standard input can be read only once");
    const formatsSaved = await openSavedFormats(context.environment);
    const options = formatsSaved.completed(given);
    const { provider } = options;
    if (provider !== undefined && (provider.trim() === "" || provider.length > MAX_PROVIDER_LENGTH)) {
      throw wrongUsage(
        `--provider must be a name of at most ${MAX_PROVIDER_LENGTH} characters: received "${provider}"`,
      );
    }
    const settings = await settingsInForce(options, context.environment);
    const { assets, values } = settings;
    const named = options.code?.split(",") ?? [];
    const codesGiven = named.map(
      (code) =>
        assetNamed(code, { assets, program: context.program }, `--code must be one of the catalog: received "${code}"`)
          .code,
    );
    const answers = answersOf({ ...options, code: undefined });
    const { marketTimeZone } = values;
    const zone = createZone(marketTimeZone);
    const today = zone.dateAt(context.clock());
    const formatContext = { marketTimeZone, assets, today };
    const { names } = tableOptions(answers, formatContext);
    const { sheet: sheets, doubtful } = options;
    const wantedSheets = { sheets, names, code: codesGiven.length === 1 ? codesGiven[0] : undefined };
    const files = (
      await Promise.all(operands.map((file) => filesOf(file, wantedSheets, context.terminal.input)))
    ).flat();
    if (named.length > 1 && named.length !== files.length)
      throw wrongUsage("--code names one asset, or one for each file in order");
    const codes = files.map((_, file) => codesGiven[file] ?? codesGiven[0]);
    const tables = new Map(
      [...new Set(codes)].map((code) => [
        code,
        tableOptions({ ...answers, ...(code !== undefined && { code }) }, formatContext),
      ]),
    );
    if (doubtful !== undefined && doubtful !== "accept" && doubtful !== "pending")
      throw wrongUsage(`--doubtful is accept or pending: received "${doubtful}"`);
    const overwriting = (["last-wins", "replace-days"] as const).find((name) => options[name]);
    if (overwriting !== undefined && options["keep-existing"])
      throw wrongUsage(`--${overwriting} and --keep-existing exclude each other`);
    const line = {
      command: `${context.program} import`,
      table: OPTIONS,
      options: { ...given, "dry-run": false },
      optionsFor: formatsSaved.optionsFor,
    };
    const report = options.json
      ? createJsonReport(context, line)
      : createTextReport(context, storeOptions(settings), line);
    const { signal, dispose } = watchSignals();
    const headers = new Set<string>();
    const request: ImportRequest = {
      ...{ files: files.map(({ name }) => name), assets, provider, zone, stop: signal },
      dryRun: options["dry-run"],
      keepExisting: options["keep-existing"],
      answers: {
        ...answers,
        ...{ yes: options.yes, lastWins: options["last-wins"], replaceDays: options["replace-days"] },
        ...(doubtful !== undefined && { doubtful }),
      },
      async read(at, watcher) {
        const [file, table] = [files[at]!, tables.get(codes[at])!];
        const { text, notes } = file.open();
        const read = await readFile(interruptible(text, signal), {
          ...watcher,
          lastWins: options["last-wins"],
          table: { ...table, file: file.name, notes },
        });
        if (read.header !== undefined) headers.add(read.header);
        return read;
      },
    };
    try {
      const code = await withStore(
        { options: { ...options, init: options["dry-run"] ? undefined : options.init }, context, settings },
        ({ imports }) => runImport(imports, request, report, context),
      );
      if (options.save !== undefined && headers.size > 0) await formatsSaved.save(options.save, options, [...headers]);
      return code;
    } catch (error) {
      if (!(error instanceof MissingStore && options["dry-run"])) throw error;
      context.terminal.note("There is no store yet; a new one would get this:");
      return await runImport(undefined, request, report, context);
    } finally {
      dispose();
    }
  },
});
