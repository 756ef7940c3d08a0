import { hostname } from "node:os";
import { type ImportEntry, REMEMBERED_IMPORTS, type UndoOutcome } from "../../stores/shared/imports.ts";
import { defineCommand } from "../command.ts";
import { EXIT, wrongUsage } from "../command_failure.ts";
import { formatChange } from "../describe_value_changes.ts";
import { undoImport } from "../import/undo_import.ts";
import { stateOfImport, subjectOf } from "../import_text.ts";
import { demandOperands } from "../parse_arguments.ts";
import { type Cell, countOf, formatCount, formatTime, table, timestampOrNull } from "../text_table.ts";

const COUNTS = ["accepted", "replaced", "unchanged", "refused"] as const;
const HEADING = ["import", "when", "of", "provider", ...COUNTS, "largest change", ""];

/** `imports list`: lists the imports and withdrawals that the store remembers. */
export const importsList = defineCommand({
  details: `Lists what import and withdraw did: accepted (new), replaced, unchanged (stored before) and refused
records, and the largest change of a value. An interrupted import can be undone like any other. An
undone import is listed as partly undone while newer records replace some of its records, which may
come back. The last ${formatCount(REMEMBERED_IMPORTS)} imports of files are remembered, and as many imports of
pushed prices; fewer if all of these have replaced more than two million records.`,
  async run(context, { withStore }) {
    const entries = await withStore(({ imports }) => imports.list());
    const here = { host: hostname(), now: context.clock() };
    const rows = entries.map((entry) => entryRow(entry, here));
    const json = { imports: entries.map((entry) => entryJson(entry, here)) };
    return { json, text: table(HEADING, rows, "There are no imports.") };
  },
});

/** `imports undo`: undoes an import. */
export const importsUndo = defineCommand({
  details: `Brings back every record that the import replaced, as it was before, and removes those that were
new. Records that have been replaced since then stay, and are counted. It is safe to repeat.
Also works while a server runs.`,
  async run(context, { operands, withStore }) {
    const { ID } = demandOperands(operands, "ID");
    const id = /^\d{1,9}$/.test(ID) ? Number(ID) : 0;
    if (id < 1) throw wrongUsage(`ID is the number of an import, as mazaneh imports list shows it: received "${ID}"`);
    const outcome = await withStore(async ({ imports }) => {
      const entry = (await imports.list()).find(({ imported }) => imported.id === id);
      if (!entry) throw wrongUsage(`There is no import ${id}; mazaneh imports list shows all`);
      if (stateOfImport(entry.imported, { host: hostname(), now: context.clock() }) === "running") {
        throw wrongUsage(`Import ${id} still runs, in process ${entry.imported.by.pid}; stop it first`);
      }
      return undoImport(imports, entry, () => context.terminal.progress(`Undoing import ${id}`));
    });
    const { restored, removed, replacedSince, unknown } = outcome;
    return {
      json: { id, restored, removed, replacedSince, unknown },
      text: undoneText(outcome),
      exitCode: unknown === 0 ? EXIT.done : EXIT.data,
    };
  },
});

/** The host and the time that `stateOfImport` needs to find out whether an import is still running. */
type Here = Parameters<typeof stateOfImport>[1];

function entryRow({ imported, stored }: ImportEntry, here: Here): Cell[] {
  const { id, summary } = imported;
  const start = [String(id), formatTime(imported.time), subjectOf(imported)];
  const state = stateOfImport(imported, here);
  if (!summary) {
    const done = stored === null ? "" : `, ${countOf(stored, "record")} stored`;
    return [...start, ...HEADING.slice(start.length, -1).map(() => "-"), `${state}${done}`];
  }
  const { providers, largest, kept } = summary;
  const change = largest ? `${largest.code} ${formatChange(largest)}` : "-";
  const notes = [...(state === "done" ? [] : [state]), ...(kept > 0 ? [`${formatCount(kept)} kept`] : [])];
  const counts = COUNTS.map((name) => summary[name]);
  return [...start, providers.join(", ") || "-", ...counts, change, notes.join(", ")];
}

function entryJson({ imported, stored }: ImportEntry, here: Here): object {
  const { id, type, subjects, summary } = imported;
  const start = { id, type, state: stateOfImport(imported, here), time: timestampOrNull(imported.time), subjects };
  const undone = imported.undone && { ...imported.undone, time: timestampOrNull(imported.undone.time) };
  if (!summary) return { ...start, stored, undone };
  const { accepted, replaced, unchanged, kept, refused, providers, largest } = summary;
  const counts = { accepted, replaced, unchanged, kept, refused };
  const largestChange = largest && { ...largest, businessTime: timestampOrNull(largest.businessTime) };
  return { ...start, providers, ...counts, largestChange, undone };
}

function undoneText({ imported, restored, removed, replacedSince, unknown }: UndoOutcome): string {
  const done = `${countOf(restored, "record")} restored, ${countOf(removed, "new record")} removed`;
  const lines = [`Import ${imported.id} (${subjectOf(imported)}): ${done}.`];
  if (replacedSince)
    lines.push(
      `Not undone: ${countOf(replacedSince, "record")} that newer changes have replaced or removed. Undo the newer imports first, then repeat this command.`,
    );
  if (unknown > 0)
    lines.push(
      `Not undone: ${countOf(unknown, "record")}, because damaged data does not show what was replaced; use mazaneh withdraw to take these back.`,
    );
  return `${lines.join("\n")}\n`;
}
