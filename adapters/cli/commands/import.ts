import { MAX_PROVIDER_LENGTH } from "../../../core/internal.ts";
import type { OptionTable } from "../args.ts";
import { defineCommand } from "../command.ts";
import { INIT_OPTION, engineFor, withStore } from "../with_store.ts";
import { wrongUsage } from "../failure.ts";
import { FORMAT_OPTIONS, readFormatOptions } from "../import/format_options.ts";
import { importFile } from "../import/import_file.ts";
import { createJsonReport, createTextReport } from "../import/import_report.ts";
import { watchSignals } from "../../signals.ts";
import { interruptible } from "../import/interruption.ts";
import { runImport } from "../import/import_run.ts";
import type { ImportPlan } from "../import/import_run.ts";
import { FOLLOW_DETAILS, FOLLOW_OPTION, runFollow } from "../import/run_follow.ts";
import { openSource, STANDARD_INPUT } from "../import/sources.ts";
import { assetOfOption } from "../market/asked_code.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { storeOptions } from "../store_options.ts";

const DETAILS = `FILE is a table of prices: CSV with commas, semicolons or tabs, NDJSON, or a JSON array of objects,
plain or compressed with gzip or zip (one file); - is standard input. What a file is, its first
bytes and lines tell, not its name. How it is read is told in one line. A file that leaves something
open is not imported: all of it is told, and the command line that decides it, ready to run.

CSV begins with a header; NDJSON has one object a line. The names, in any order:
  code            an asset of the catalog, e.g. USD_RLS; or symbol, asset, نماد; or --code for all
  value           a decimal number above zero, in the asset's quote unit (rial for _RLS); or price,
                  قیمت
  businessTime    ISO 8601 with a zone, e.g. 2026-01-31T12:00:00Z; or date, time, datetime,
                  timestamp, تاریخ, زمان
and optionally sourceTime, provider, qualityStatus (ACCEPTED, PENDING or REJECTED) and
qualityMessage. --map names other columns; the rest are ignored. In CSV, a provider or message that
begins with an apostrophe and =, +, - or @ loses the apostrophe, which export adds.

Numbers and dates may have Persian or Arabic digits, and numbers thousands separators. Dates may
stand without an hour (--day-at), without a zone (--zone), with the year last (--date-order) and in
the Jalali calendar (--calendar jalali). In a table, a blank value, - and N/A are skipped, and so
are rows of totals and titles above the header.

  mazaneh import bazaar.csv --code USD_RLS --unit toman --calendar jalali --day-at 16:30
  mazaneh import wide.csv --wide --map USD_RLS=دلار,EUR_RLS=یورو --day-at 16:30

A record replaces an earlier one of the same code and business time; one that is there already,
with nothing to change, is counted as unchanged and not stored again. A line that is refused is
reported with its number and the reason, and the other lines are imported; if a file cannot be read,
the other files are imported. The exit code is then 65. A file may be imported again. A running
server serves each batch at once. imports undo takes an import back.

If more than 1 % of the existing values of its assets would change, or values jump by a factor of
5 or more against those that are stored, an import shows the largest differences and asks before
it writes anything. It also asks where such jumps are more than 1 % of its records, where the
records of an asset end after a jump without one back, or where more than 10 % of them (and more
than 3) lie between a jump and the one back; of fewer, it only warns. Where nobody can answer, it
ends with 65; --yes imports it all the same. Standard input can be read only once: each batch is
looked at before it is written.

${FOLLOW_DETAILS}`;

const OPTIONS = {
  "dry-run": { kind: "switch", summary: "Say what the import would do, and write nothing" },
  provider: { kind: "text", placeholder: "NAME", summary: "Provider of the records that name none" },
  "keep-existing": { kind: "switch", summary: "Leave records that are there as they are; the others are imported" },
  yes: { kind: "switch", summary: "Import also what looks wrong, without a question" },
  ...FORMAT_OPTIONS,
  ...FOLLOW_OPTION,
  ...INIT_OPTION,
  ...settingOptions(["data"]),
} as const satisfies OptionTable;

/** `import`: reads market records from files. */
export const importCommand = defineCommand({
  name: "import",
  operands: "FILE…|-",
  summary: "Import market records from CSV and JSON files",
  details: DETAILS,
  options: OPTIONS,
  async run(context, { options, operands }) {
    if (operands.length === 0) throw wrongUsage("FILE is missing; - is standard input");
    if (operands.filter((name) => name === STANDARD_INPUT).length > 1) throw wrongUsage("Standard input can be read only once");
    const { provider } = options;
    if (provider !== undefined && (provider.trim() === "" || provider.length > MAX_PROVIDER_LENGTH)) {
      throw wrongUsage(`--provider must be a name of at most ${MAX_PROVIDER_LENGTH} characters: received "${provider}"`);
    }
    const settings = await settingsInForce(options, context.environment);
    const { assets, values } = settings;
    if (options.code !== undefined) assetOfOption(options.code, { assets, program: context.program });
    const codes = new Set<string>(assets.map(({ code }) => code));
    const formats = readFormatOptions(options, { marketTimeZone: values.marketTimeZone, isCode: (text) => codes.has(text) });
    if (options.follow) {
      if (operands.length !== 1 || operands[0] !== STANDARD_INPUT) throw wrongUsage("--follow reads standard input alone: import - --follow");
      if (options["dry-run"] || options["keep-existing"] || provider !== undefined) {
        throw wrongUsage("--follow stores each line as it comes: leave --dry-run, --keep-existing and --provider out");
      }
      return runFollow(context, { engine: await engineFor({ options: { ...options, init: undefined }, context }), formats, assets });
    }
    const line = { command: `${context.program} import`, table: OPTIONS, options };
    const report = options.json ? createJsonReport(context, line) : createTextReport(context, storeOptions(settings), line);
    const { signal, dispose } = watchSignals();
    const plan: ImportPlan = {
      ...{ files: operands, assets, provider, stop: signal },
      ...{ dryRun: options["dry-run"], yes: options.yes, keepExisting: options["keep-existing"] },
      read: (name, into, watcher) => importFile(interruptible(openSource(name, context.terminal.input), signal), { formats, ...into }, watcher),
    };
    try {
      return await withStore({ options: { ...options, init: plan.dryRun ? undefined : options.init }, context }, ({ imports }) => runImport(imports, plan, report, context));
    } finally {
      dispose();
    }
  },
});
