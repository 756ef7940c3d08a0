import { indexAssets } from "../../../core/internal.ts";
import type { Asset, AssetCode } from "../../../core/mod.ts";
import { defineCommand } from "../command.ts";
import { EXIT, printable, wrongUsage } from "../command_failure.ts";
import { EXPORT_FORMATS, type ExportSelection, exportText, SNAPSHOT_FORMAT } from "../export_rows.ts";
import { assetOf } from "../market/find_asset_code.ts";
import { readChoice, switchOption, textOption, textsOption } from "../parse_arguments.ts";
import { replaceFile } from "../replace_file.ts";
import { countOf, formatCount } from "../text_table.ts";
import { BOUNDS_RULE, readBounds } from "../time_bounds.ts";

const DETAILS = `Writes records in a format that import reads, sorted by asset as in the catalog, then by business
time. Records of codes that are not in the catalog are left out, with a note on standard error. Also
works while a server runs.

${BOUNDS_RULE}

In CSV, a provider or a message that begins with =, +, - or @ is written with an apostrophe before
it, so that no spreadsheet runs it as a formula. import removes that apostrophe. The format csv-excel
is CSV with a byte order mark, so that Excel shows Persian text when you open it by double click.

With --snapshot it writes the file that a deployment without a disk serves: NDJSON with the insert
time of each record.`;

/** `export`: writes the records of a store as CSV, NDJSON or a snapshot. */
export const exportCommand = defineCommand({
  details: DETAILS,
  settings: ["data", "marketTimeZone"],
  options: {
    format: textOption("FORMAT", "csv, csv-excel or ndjson [default csv]"),
    code: textsOption("CODE", "Only this asset; may be given several times"),
    from: textOption("TIME", "Only records from this day or business time on"),
    to: textOption("TIME", "Only records up to and including this day, or before this business time"),
    snapshot: switchOption("Write a snapshot, the file for a deployment without a disk"),
    "all-statuses": switchOption("Also write pending and rejected records"),
    out: textOption("FILE", "Write to this file, which appears or changes only when it is complete"),
  },
  async run(context, { options, settings, withReader }) {
    const { terminal } = context;
    const format = readChoice("--format", options.format ?? "csv", [...EXPORT_FORMATS.keys()]);
    if (options.json && options.out === undefined)
      throw wrongUsage("--json needs --out: without it, the records go to standard output");
    const selection: ExportSelection = {
      codes: readCodes(options.code, settings.assets),
      ...readBounds(options, settings.values.marketTimeZone),
      allStatuses: options["all-statuses"],
    };
    if (options.snapshot && (options.format !== undefined || options["all-statuses"])) {
      throw wrongUsage("--snapshot is NDJSON of accepted records: leave --format and --all-statuses out");
    }
    const { out } = options;
    const { records, leftOut, damages } = await withReader(async (reader) => {
      const { observations, damages } = await reader.market();
      // With `--code`, only the records of the given codes are read.
      const all = observations.records({ first: selection.codes, others: options.code.length === 0 });
      const text = exportText(all, selection, options.snapshot ? SNAPSHOT_FORMAT : EXPORT_FORMATS.get(format)!);
      if (out !== undefined) await replaceFile(out, text.parts);
      else for await (const part of text.parts) await terminal.writeData(part);
      return { ...text, damages: damages.length };
    });
    if (leftOut.size > 0) terminal.note(leftOutNote(leftOut));
    if (damages > 0) terminal.note(`Unreadable places, whose records were left out: ${damages}; see mazaneh verify`);
    const exitCode = damages > 0 ? EXIT.damaged : EXIT.done;
    if (out === undefined) return exitCode;
    return {
      json: { file: out, records: records(), leftOut: Object.fromEntries(leftOut) },
      text: `${countOf(records(), "record")} ${records() === 1 ? "is" : "are"} in ${out}.\n`,
      exitCode,
    };
  },
});

function leftOutNote(counts: ReadonlyMap<AssetCode, number>): string {
  const records = [...counts.values()].reduce((sum, count) => sum + count, 0);
  return printable(
    `Records of codes that are not in the catalog were left out: ${formatCount(records)} of ${[...counts.keys()].join(", ")}; the config file that --config names can add codes`,
  );
}

function readCodes(codes: readonly string[], assets: readonly Asset[]): readonly AssetCode[] {
  for (const code of codes) assetOf(code, assets);
  const all = [...indexAssets(assets).values()].map(({ code }) => code);
  return codes.length === 0 ? all : all.filter((code) => codes.includes(code));
}
