import { createQueue } from "../../shared/queue.ts";
import type { Folder } from "../data_directory.ts";
import { type Manifest, replaceManifest } from "../manifest.ts";
import { type FileDamage, MISSING, missingLines } from "./damage.ts";
import type { LogEnd } from "./log.ts";
import { type LogBegin, type Segment, segmentName } from "./segments.ts";

/**
 * The marks of a store: the length of each log when its last file was begun, or when the store was last closed cleanly.
 * The manifest contains the marks. If a log ends before its mark, lines or a whole file are lost. Without marks,
 * neither checksums nor line numbers would show the loss, and used units would be granted again.
 *
 * Only the owner of the directory may set marks.
 */
export function openMarks(folder: Folder, manifest: Manifest) {
  const marks = new Map(Object.entries(manifest.highWater ?? {}));
  let saved = JSON.stringify(manifest.highWater ?? {});
  const { inTurn } = createQueue();

  function save(): Promise<void> {
    return inTurn(async () => {
      const highWater = Object.fromEntries(marks);
      const text = JSON.stringify(highWater);
      if (text === saved) return;
      await replaceManifest(folder, { ...manifest, highWater });
      saved = text;
    });
  }

  return {
    of: (log: string): LogEnd | undefined => marks.get(log),
    /** Sets the mark of a log. Call `save` to write the mark. */
    set: (log: string, end: LogEnd): void => void marks.set(log, end),
    /** Sets the mark of a log whose new file is on disk. Resolves when the mark is on disk. */
    record(log: string, end: LogEnd): Promise<void> {
      marks.set(log, end);
      return save();
    },
    /** Drops the mark of a log. Call this and `save` before you remove the log's files. */
    drop: (log: string): void => void marks.delete(log),
    /** Resolves when all marks are on disk. */
    save,
  };
}

export type Marks = ReturnType<typeof openMarks>;

/**
 * The file or the lines that are lost at the end of a log, as far as its mark shows. `undefined` if none are lost.
 *
 * @param begin The first segment after the base. This segment must exist, because the base was written after it.
 */
export function findLostEnd(
  segments: readonly Segment[],
  kind: string,
  mark: LogEnd | undefined,
  begin?: LogBegin,
): FileDamage | undefined {
  const missing = (number: number): FileDamage => {
    return { file: segmentName(kind, number), offset: 0, length: 0, reason: MISSING };
  };
  if (begin && segments.length === 0) return missing(begin.segment);
  if (!mark) return undefined;
  const marked = segments.find(({ number }) => number === mark.segment);
  // If a later file exists, its header shows that this file is missing.
  if (!marked) return segments.some(({ number }) => number > mark.segment) ? undefined : missing(mark.segment);
  const { size } = marked.scan;
  if (size < mark.length)
    return { file: marked.name, offset: size, length: 0, reason: `ends here, but once had ${mark.length} bytes` };
  const { name, scan } = segments.at(-1)!;
  const lines = mark.next - scan.next;
  return lines > 0 ? { file: name, ...missingLines(scan.end, lines, mark.next) } : undefined;
}
