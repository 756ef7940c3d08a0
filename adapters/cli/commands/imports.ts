import { hostname } from "node:os";
import { type Import, type ImportEntry, REMEMBERED_IMPORTS, type UndoOutcome } from "../../stores/shared/imports.ts";
import { defineCommand } from "../command.ts";
import { EXIT, wrongUsage } from "../command_failure.ts";
import { formatChange } from "../describe_value_changes.ts";
import { undoImport } from "../import/undo_import.ts";
import { stateOfImport, subjectOf } from "../import_text.ts";
import { demandOperands } from "../parse_arguments.ts";
import { type Cell, formatCount, formatTime, table, timestampOrNull } from "../text_table.ts";
import { withStore } from "../with_store.ts";

const HEADING = [
  "import",
  "when",
  "of",
  "provider",
  "accepted",
  "replaced",
  "unchanged",
  "refused",
  "largest change",
  "",
];

/** `imports list`: all imports and withdrawals that are remembered. */
export const importsList = defineCommand({
  details: `Lists what import and withdraw did: accepted (new), replaced, unchanged (there already) and refused
records, and the largest change of a value. An import that was interrupted can be undone like any
other; one is partly undone while something newer stands on the rest of it, which may come back.
The last ${formatCount(REMEMBERED_IMPORTS)} imports are remembered, as many of what was pushed, and fewer if together they
have replaced more than two million records.`,
  settings: ["data"],
  async run(context, { options, settings }) {
    const entries = await withStore({ options, context, settings }, ({ imports }) => imports.list());
    const here = { host: hostname(), now: context.clock() };
    return {
      json: { imports: entries.map((entry) => entryJson(entry, here)) },
      text: table(
        HEADING,
        entries.map((entry) => entryRow(entry, here)),
        "There are no imports.",
      ),
    };
  },
});

/** `imports undo`: takes back what an import did. */
export const importsUndo = defineCommand({
  details: `Brings back every record that the import replaced, as it was before, and removes those that were
new. Records that something newer has replaced since are left, and counted. It may be asked for
again: then there is nothing left to do. Also works while a server runs.`,
  settings: ["data"],
  async run(context, { options, operands, settings }) {
    const { ID } = demandOperands(operands, "ID");
    const id = /^\d{1,9}$/.test(ID) ? Number(ID) : 0;
    if (id < 1) throw wrongUsage(`ID is the number of an import, as imports list shows it: received "${ID}"`);
    const outcome = await withStore({ options, context, settings }, async ({ imports }) => {
      const entry = (await imports.list()).find(({ imported }) => imported.id === id);
      if (!entry) throw wrongUsage(`There is no import ${id}; imports list shows all`);
      if (stateOfImport(entry.imported, { host: hostname(), now: context.clock() }) === "running") {
        throw wrongUsage(`Import ${id} still runs, in process ${entry.imported.by.pid}; stop it first`);
      }
      return undoImport(imports, entry, () => context.terminal.progress(`Undoing import ${id}`));
    });
    return {
      json: undoneJson(outcome),
      text: undoneText(outcome),
      exitCode: outcome.unknown === 0 ? EXIT.done : EXIT.data,
    };
  },
});

/** The host and the time that say whether an import still runs. */
type Here = Parameters<typeof stateOfImport>[1];

function entryRow({ imported, stored }: ImportEntry, here: Here): Cell[] {
  const { id, summary } = imported;
  const start = [String(id), formatTime(imported.time), subjectOf(imported)];
  const state = stateOfImport(imported, here);
  if (!summary) {
    const done = stored === null ? "" : `, ${formatCount(stored)} records stored`;
    return [...start, "-", "-", "-", "-", "-", "-", `${state}${done}`];
  }
  const { accepted, replaced, unchanged, refused, providers, largest, kept } = summary;
  const change = largest ? `${largest.code} ${formatChange(largest)}` : "-";
  const notes = [...(state === "done" ? [] : [state]), ...(kept > 0 ? [`${formatCount(kept)} kept`] : [])];
  return [...start, providers.join(", ") || "-", accepted, replaced, unchanged, refused, change, notes.join(", ")];
}

function entryJson({ imported, stored }: ImportEntry, here: Here): object {
  const { id, type, time, subjects, summary, undone } = imported;
  const state = stateOfImport(imported, here);
  if (!summary)
    return { id, type, state, time: timestampOrNull(time), subjects, stored, undone: undone && undoneCounts(undone) };
  const { accepted, replaced, unchanged, kept, refused, providers, largest } = summary;
  const counts = { accepted, replaced, unchanged, kept, refused };
  const largestChange = largest && { ...largest, businessTime: timestampOrNull(largest.businessTime) };
  return {
    id,
    type,
    state,
    time: timestampOrNull(time),
    subjects,
    providers,
    ...counts,
    largestChange,
    undone: undone && undoneCounts(undone),
  };
}

function undoneCounts({ time, restored, removed }: NonNullable<Import["undone"]>): object {
  return { time: timestampOrNull(time), restored, removed };
}

function undoneJson({ imported, restored, removed, replacedSince, unknown }: UndoOutcome): object {
  return { id: imported.id, restored, removed, replacedSince, unknown };
}

function undoneText({ imported, restored, removed, replacedSince, unknown }: UndoOutcome): string {
  const done = [
    ...(restored > 0
      ? [`${restored === 1 ? "1 record is as it was" : `${formatCount(restored)} records are as they were`} before`]
      : []),
    ...(removed > 0
      ? [removed === 1 ? "1 that was new is removed" : `${formatCount(removed)} that were new are removed`]
      : []),
  ];
  const name = `Import ${imported.id} (${subjectOf(imported)})`;
  const isAnyLeft = Boolean(replacedSince) || unknown > 0;
  const nothing = isAnyLeft ? "nothing was undone" : "there is nothing to undo";
  const lines = [
    done.length > 0
      ? `${name} is ${isAnyLeft ? "partly " : ""}undone: ${done.join(", and ")}.`
      : `${name}: ${nothing}.`,
    ...(replacedSince
      ? [
          `${left(replacedSince)}, as something newer has replaced or removed ${replacedSince === 1 ? "it" : "them"} since. Where newer imports did, undo those first, then ask again.`,
        ]
      : []),
    ...(unknown > 0
      ? [`${left(unknown)}, as the data is damaged, and they may have replaced others; withdraw takes records back.`]
      : []),
  ];
  return `${lines.join("\n")}\n`;
}

function left(count: number): string {
  return count === 1 ? "1 record was left" : `${formatCount(count)} records were left`;
}
