import { formatTimestamp } from "../../../core/internal.ts";
import type { CliContext } from "../command.ts";
import { printable } from "../command_failure.ts";
import { type ImportQuestion, optionOf, optionsOf, unreadInWords } from "./import_answers.ts";
import { type ImportReport, total } from "./import_report.ts";
import { commandsFor, type ReportedLine } from "./suggested_command.ts";

/** Makes a report that prints one JSON document at the end. */
export function createJsonReport({ terminal }: Pick<CliContext, "terminal">, line: ReportedLine): ImportReport {
  let shown: object = {};

  return {
    reading: () => undefined,
    show({ first, changed, existing }, { questions }) {
      const times = first.map((one) => ({ ...one, from: formatTimestamp(one.from), to: formatTimestamp(one.to) }));
      shown = { firstImported: times, existing, changed, needs: questions.map(needOf) };
    },
    async finish(files, { id = null, dryRun, pending = 0, missingOptions }) {
      const listed = files.map(({ name, read: { failure = null, reading = null, ignored, skipped }, counts }) => ({
        file: name,
        ...counts,
        failure: failure && unreadInWords(failure),
        needs: failure && "questions" in failure ? failure.questions.map(needOf) : [],
        readAs: reading,
        ignoredColumns: ignored,
        skipped,
      }));
      const refusals = files.flatMap(({ name, read }) =>
        read.rejectedRows.map(({ line: number, reason, set }) => ({
          file: name,
          line: number,
          reason,
          ...(set && { option: optionsOf(set).join(" ") }),
        })),
      );
      const toImport = commandsFor(line, files, missingOptions);
      const report = { import: id, dryRun, ...total(files), pending, files: listed, refusals, ...shown, toImport };
      await terminal.write(`${printable(JSON.stringify(report))}\n`);
    },
  };
}

function needOf(question: ImportQuestion): { readonly option: string; readonly reason: string } {
  return { option: optionOf(question), reason: question.reason };
}
