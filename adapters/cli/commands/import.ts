import { createIngestUnknown } from "../../../core/mod.ts";
import { defineCommand } from "../command.ts";
import { INIT_OPTION, storeDirectory, withStore } from "../data_directory.ts";
import { EXIT, wrongUsage } from "../failure.ts";
import { FORMAT_OPTIONS, readFormatOptions } from "../import/format_options.ts";
import { importFile } from "../import/import_file.ts";
import { createJsonReport, createTextReport } from "../import/import_report.ts";
import { FOLLOW_DETAILS, FOLLOW_OPTION, runFollow } from "../import/run_follow.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { DROP_SAMPLE_OPTION, keepSampleApart } from "../import/sample_guard.ts";
import { watchUnknownCodes } from "../import/unknown_codes.ts";
import { openSource, STANDARD_INPUT } from "../import/sources.ts";

const DETAILS = `FILE is a table of prices: CSV with commas, semicolons or tabs, NDJSON, or a JSON array of objects,
plain or compressed with gzip or zip (one file); - is standard input. What a file is, its first
bytes and lines tell, not its name. How it is read is told in one line; what is unclear is refused
with a sentence that names the option which decides.

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
server serves each batch at once.

${FOLLOW_DETAILS}`;

/** `import`: reads market records from files. */
export const importCommand = defineCommand({
  name: "import",
  operands: "FILE…|-",
  summary: "Import market records from CSV and JSON files",
  details: DETAILS,
  options: { ...FORMAT_OPTIONS, ...FOLLOW_OPTION, ...INIT_OPTION, ...DROP_SAMPLE_OPTION, ...settingOptions(["data"]) },
  async run(context, { options, operands }) {
    const drop = options["drop-sample"];
    if (operands.length === 0 && !drop) throw wrongUsage("FILE is missing; - is standard input");
    if (operands.filter((name) => name === STANDARD_INPUT).length > 1) throw wrongUsage("Standard input can be read only once");
    const { terminal, clock } = context;
    const { assets, values } = await settingsInForce(options, context.environment);
    const codes = new Set<string>(assets.map(({ code }) => code));
    const formats = readFormatOptions(options, { marketTimeZone: values.marketTimeZone, isCode: (text) => codes.has(text) });
    if (options.follow) {
      if (operands.length !== 1 || operands[0] !== STANDARD_INPUT) throw wrongUsage("--follow reads standard input alone: import - --follow");
      return runFollow(context, { data: await storeDirectory(options, context, "there"), formats, assets, drop });
    }
    return withStore(options, context, "made", async (store) => {
      await keepSampleApart(store, { data: values.data, drop, note: (line) => terminal.note(line) });
      if (operands.length === 0 && !options.json) return EXIT.done;
      const { ingest, advice } = watchUnknownCodes(createIngestUnknown({ clock, observations: store, assets }), assets);
      const report = options.json ? createJsonReport(terminal) : createTextReport(terminal);
      for (const name of operands) {
        const file = name === STANDARD_INPUT ? "standard input" : name;
        const tally = await importFile(openSource(name, terminal.input), { formats, ingest }, report.watch(file));
        report.done(file, tally);
        if (tally.stoppedBy === undefined) continue;
        await report.finish();
        throw tally.stoppedBy;
      }
      const isComplete = await report.finish();
      const line = advice();
      if (line !== undefined && !options.json) terminal.note(line);
      return isComplete ? EXIT.done : EXIT.data;
    });
  },
});
