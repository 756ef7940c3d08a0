import type { ImportAccess, ImportEntry, Undoing, UndoOutcome } from "../../stores/shared/imports.ts";

/** Undoes an import. Calls `pending` every few seconds until the import is undone. */
export async function undoImport(
  imports: Pick<ImportAccess, "undo">,
  { imported: { id, undone: before } }: Pick<ImportEntry, "imported">,
  pending: () => void,
): Promise<UndoOutcome> {
  let undoing: Undoing;
  do {
    undoing = await imports.undo(id);
    if (undoing.pending) pending();
  } while (undoing.pending);
  // If a server stopped after a step but before its answer, `undoing` lacks that step. `undone` includes it.
  const { undone } = undoing.imported;
  return {
    ...undoing,
    restored: Math.max(undoing.restored, (undone?.restored ?? 0) - (before?.restored ?? 0)),
    removed: Math.max(undoing.removed, (undone?.removed ?? 0) - (before?.removed ?? 0)),
  };
}
