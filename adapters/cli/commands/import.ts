import { createIngest } from "../../../core/mod.ts";
import { defineCommand } from "../command.ts";
import { withStore } from "../data_directory.ts";
import { EXIT, wrongUsage } from "../failure.ts";
import { importFile } from "../import/import_file.ts";
import { createJsonReport, createTextReport } from "../import/import_report.ts";
import { settingOptions } from "../settings_sources.ts";
import { openSource, STANDARD_INPUT } from "../import/sources.ts";

const DETAILS = `FILE is CSV or NDJSON, packed with gzip or not; - is standard input. What a file is, its first
bytes tell and not its name.

CSV begins with a header; NDJSON has one object a line. The names, in any order:
  code            an asset of the catalog, e.g. USD_RLS
  value           a decimal number above zero, in the asset's quote unit (rial for _RLS)
  businessTime    ISO 8601 with a zone, e.g. 2026-01-31T12:00:00Z
and, where known, sourceTime, provider, qualityStatus (ACCEPTED, PENDING or REJECTED) and
qualityMessage. Other columns are ignored.

A record for a code and business time that are there already takes the earlier one's place. A line
that cannot be taken in is told with its number and the reason, and the others are taken in; so are
the other files where one cannot be read. The exit code is 65 then. Importing a file again does no
harm. A running server has each batch at once.`;

/** `import`: takes market records in. */
export const importCommand = defineCommand({
  name: "import",
  operands: "FILE…|-",
  summary: "Take market records in from CSV and NDJSON files",
  details: DETAILS,
  options: settingOptions(["data"]),
  async run(context, { options, operands }) {
    if (operands.length === 0) throw wrongUsage("FILE is missing; - is standard input");
    if (operands.filter((name) => name === STANDARD_INPUT).length > 1) throw wrongUsage("Standard input can be read only once");
    const { terminal, clock } = context;
    return withStore(options, context, "made", async (store) => {
      const ingest = createIngest({ clock, observations: store });
      const report = options.json ? createJsonReport(terminal) : createTextReport(terminal);
      for (const name of operands) {
        const file = name === STANDARD_INPUT ? "standard input" : name;
        report.done(file, await importFile(openSource(name, terminal.input), ingest, report.watch(file)));
      }
      return (await report.finish()) ? EXIT.done : EXIT.data;
    });
  },
});
