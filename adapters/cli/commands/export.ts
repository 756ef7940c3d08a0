import { crc32Hex, indexAssets, parseTimestamp } from "../../../core/internal.ts";
import { ASSETS } from "../../../core/mod.ts";
import type { Asset, AssetCode, Observation, UtcMillis } from "../../../core/mod.ts";
import { readJsonFiles } from "../../json_files/mod.ts";
import { makeSnapshot } from "../../edge_snapshot/make.ts";
import { demandOperands } from "../args.ts";
import { defineCommand } from "../command.ts";
import { dataDirectory } from "../data_directory.ts";
import { EXIT, wrongUsage } from "../failure.ts";
import { EXPORT_FORMATS, exportText } from "../export_rows.ts";
import type { ExportText, Selection } from "../export_rows.ts";
import { replaceFile } from "../replace_file.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { formatCount } from "../table.ts";

const DETAILS = `Writes records in a format that import reads, by asset in the order of the catalog, then by business
time. Codes that are not in the catalog are left out. Works also while a server runs.

In CSV, a provider or a message that begins with =, +, - or @ is written with an apostrophe before
it, so that no spreadsheet runs it as a formula. import removes that apostrophe.

With --snapshot it writes one file of accepted records, from which a deployment without a disk
serves: smaller, with a checksum, and not readable by import.`;

/** `export`: writes the records of a store as CSV, NDJSON or a snapshot. */
export const exportCommand = defineCommand({
  name: "export",
  operands: "",
  summary: "Write records to standard output, or to a file",
  details: DETAILS,
  options: {
    format: { kind: "text", placeholder: "FORMAT", summary: "csv or ndjson [default csv]" },
    code: { kind: "texts", placeholder: "CODE", summary: "Only this asset; may be given several times" },
    from: { kind: "text", placeholder: "TIME", summary: "Only records from this business time on, e.g. 2026-01-31T12:00:00Z" },
    to: { kind: "text", placeholder: "TIME", summary: "Only records before this business time" },
    snapshot: { kind: "switch", summary: "Write one file for a deployment without a disk" },
    "all-statuses": { kind: "switch", summary: "Also records that are not ACCEPTED" },
    out: { kind: "text", placeholder: "FILE", summary: "Write to this file, which appears or changes when everything is written" },
    ...settingOptions(["data"]),
  },
  async run({ terminal, environment }, { options, operands }) {
    demandOperands(operands);
    const format = EXPORT_FORMATS.get(options.format ?? "csv");
    if (!format) throw wrongUsage(`--format must be ${[...EXPORT_FORMATS.keys()].join(" or ")}: received "${options.format}"`);
    if (options.json && options.out === undefined) throw wrongUsage("--json needs --out, as otherwise standard output takes the records");
    const { assets } = await settingsInForce(options, environment);
    const selection: Selection = {
      codes: readCodes(assets, options.code),
      from: readTime("--from", options.from) ?? -Infinity,
      to: readTime("--to", options.to) ?? Infinity,
      allStatuses: options["all-statuses"],
    };
    if (options.snapshot && (options.format !== undefined || options["all-statuses"])) {
      throw wrongUsage("--snapshot has a format of its own, and accepted records only: leave --format and --all-statuses out");
    }
    const { observations } = await readJsonFiles(await dataDirectory(options, environment));
    const text = options.snapshot ? await snapshotText(observations, selection) : exportText(observations.records(), selection, format);
    if (options.out === undefined) {
      for (const part of text.parts) await terminal.writeData(part);
      return EXIT.done;
    }
    await replaceFile(options.out, text.parts);
    await terminal.write(
      options.json
        ? `${JSON.stringify({ file: options.out, records: text.records })}\n`
        : `${formatCount(text.records)} records are in ${options.out}.\n`,
    );
    return EXIT.done;
  },
});

/** A snapshot of the selected records. Its versions differ from those of other selections of the same store. */
async function snapshotText(store: Awaited<ReturnType<typeof readJsonFiles>>["observations"], { codes, from, to }: Selection): Promise<ExportText> {
  let records = 0;
  const wanted = new Set(codes);
  const isWhole = codes.join() === ASSETS.map(({ code }) => code).join() && from === -Infinity && to === Infinity;
  const suffix = isWhole ? "" : `.${crc32Hex([from, to, ...codes].join())}`;
  function* selected(): Generator<Observation> {
    for (const observation of store.records()) {
      const { code, businessTime, qualityStatus } = observation;
      if (qualityStatus !== "ACCEPTED" || !wanted.has(code) || businessTime < from || businessTime >= to) continue;
      records++;
      yield observation;
    }
  }
  const text = await makeSnapshot(selected(), (code) => store.version(code) + suffix);
  return { parts: [text], records };
}

function readCodes(assets: readonly Asset[], codes: readonly string[]): readonly AssetCode[] {
  if (codes.length === 0) return assets.map(({ code }) => code);
  const catalog = indexAssets(assets);
  const unknown = codes.find((code) => !catalog.has(code));
  if (unknown !== undefined) throw wrongUsage(`--code must be one of the catalog: received "${unknown}"`);
  return [...catalog.values()].map(({ code }) => code).filter((code) => codes.includes(code));
}

function readTime(option: string, text: string | undefined): UtcMillis | undefined {
  if (text === undefined) return undefined;
  const time = parseTimestamp(text);
  if (!time) throw wrongUsage(`${option} must be ISO 8601 with a zone, e.g. 2026-01-31T12:00:00Z: received "${text}"`);
  return time.millis;
}
