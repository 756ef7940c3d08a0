import { join } from "node:path";
import { type Folder, MANIFEST } from "../data_directory.ts";
import type { Manifest } from "../manifest.ts";
import { replaceDocument } from "../replace_document.ts";
import { type FileDamage, MISSING, missingLines } from "./damage.ts";
import type { LogEnd } from "./log.ts";
import { type LogBegin, type Segment, segmentName } from "./segments.ts";

/**
 * How far each log went when its last file was begun, or at a clean stop, as the manifest says it. A log that ends before its
 * mark has lost lines, or a whole file, which neither checksums nor line numbers show: a unit that was counted there would
 * be granted again.
 */
export interface Marks {
  of(log: string): LogEnd | undefined;
  /** Sets the mark of a log, unless the log has no file yet; `save` writes it down. */
  set(log: string, end: LogEnd): void;
  /** Sets the mark of a log, and resolves when it is on the device. */
  record(log: string, end: LogEnd): Promise<void>;
  /** Drops the mark of a log whose files are to be removed. */
  drop(log: string): void;
  /** Resolves when all marks are on the device. */
  save(): Promise<void>;
}

/** Opens the marks of a store. Only the process that owns the directory may set any. */
export function openMarks(folder: Folder, manifest: Manifest): Marks {
  const marks = new Map(Object.entries(manifest.highWater ?? {}));
  let saved = JSON.stringify(manifest.highWater ?? {});
  let last: Promise<void> = Promise.resolve();

  function save(changed: ReadonlyMap<string, LogEnd> = new Map()): Promise<void> {
    const saving = last.then(async () => {
      const highWater = Object.fromEntries([...marks, ...changed]);
      const text = JSON.stringify(highWater);
      if (text === saved) return;
      await replaceDocument(folder, join(folder.directory, MANIFEST), { ...manifest, highWater } as Manifest);
      saved = text;
      // Not before: a file whose mark could not be saved is removed again.
      for (const [log, end] of changed) marks.set(log, end);
    });
    last = saving.catch(() => {});
    return saving;
  }

  return {
    of: (log) => marks.get(log),
    set(log, end) {
      if (end.length > 0) marks.set(log, end);
    },
    record: (log, end) => save(new Map([[log, end]])),
    drop: (log) => void marks.delete(log),
    save: () => save(),
  };
}

/** From where to where a log goes at least. */
export interface LogBounds {
  readonly kind: string;
  readonly mark: LogEnd | undefined;
  /** Where it begins behind its base: there is such a segment, as a base is written later. */
  readonly begin?: LogBegin | undefined;
}

/** The damage of a log that ends before its mark, where it does: at least so much of it is missing. */
export function findLostEnd(segments: readonly Segment[], { kind, mark, begin }: LogBounds): FileDamage | undefined {
  const missing = (number: number): FileDamage => {
    return { file: segmentName(kind, number), offset: 0, length: 0, reason: MISSING };
  };
  if (begin && segments.length === 0) return missing(begin.segment);
  if (!mark) return undefined;
  const marked = segments.find(({ number }) => number === mark.segment);
  // A file that is missing before another one shows there.
  if (!marked) return segments.some(({ number }) => number > mark.segment) ? undefined : missing(mark.segment);
  const { size } = marked.scan;
  if (size < mark.length)
    return { file: marked.name, offset: size, length: 0, reason: `ends here, and once had ${mark.length} bytes` };
  const { name, scan } = segments.at(-1)!;
  const lines = mark.next - scan.next;
  return lines > 0 ? { file: name, ...missingLines(scan.end, lines, mark.next) } : undefined;
}
