import { join } from "node:path";
import type { Health } from "../errors.ts";
import { readAt } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { MANIFEST } from "../manifest.ts";
import type { Manifest } from "../manifest.ts";
import { replaceDocument } from "../replace.ts";
import { MISSING } from "./damage.ts";
import type { FileDamage } from "./damage.ts";
import { CHECK_FROM_END } from "./line.ts";
import type { LogEnd } from "./log.ts";
import { segmentName } from "./segments.ts";
import type { LogBegin, Segment } from "./segments.ts";

/**
 * How far each log has been written, as the manifest says it: a lower bound, saved when a segment is begun and when
 * the store is closed. What a log lacks below it was lost after it had been acknowledged, which no crash explains.
 */
export interface HighWaterMarks {
  /** All marks, by the names of their logs. */
  all(): Readonly<Record<string, LogEnd>>;
  of(kind: string): LogEnd | undefined;
  /** Sets the mark of a log, unless the log has no file yet; `save` writes it down. */
  set(kind: string, end: LogEnd): void;
  /** Sets the mark of a log, and resolves when it is on the device. */
  record(kind: string, end: LogEnd): Promise<void>;
  /** Drops the mark of a log whose files are to be removed. */
  drop(kind: string): void;
  /** Resolves when all marks are on the device. */
  save(): Promise<void>;
}

/** Opens the marks of a store. Only the holder of its lock may set any. */
export function openHighWaterMarks(fs: FileSystem, health: Health, directory: string, manifest: Manifest): HighWaterMarks {
  const marks = new Map(Object.entries(manifest.highWater ?? {}));
  let saved = JSON.stringify([...marks]);
  let last: Promise<void> = Promise.resolve();

  async function write(kind: string | undefined, end: LogEnd | undefined): Promise<void> {
    const next = new Map(marks);
    if (kind !== undefined && end) next.set(kind, end);
    const text = JSON.stringify([...next]);
    if (text === saved) return;
    const document: Manifest = { ...manifest, highWater: Object.fromEntries(next) };
    await replaceDocument(fs, health, join(directory, MANIFEST), document);
    saved = text;
    // Not before: a segment whose mark could not be saved is removed again.
    if (kind !== undefined && end) marks.set(kind, end);
  }

  function set(kind: string, end: LogEnd): void {
    if (end.length > 0) marks.set(kind, end);
  }

  function record(kind?: string, end?: LogEnd): Promise<void> {
    const result = last.then(() => write(kind, end));
    last = result.catch(() => {});
    return result;
  }

  return { all: () => Object.fromEntries(marks), of: (kind) => marks.get(kind), set, record, drop: (kind) => void marks.delete(kind), save: () => record() };
}

/** Whether a line with the mark's checksum ends at the mark, and so the file has not been cut or replaced. */
export async function endsAtMark(fs: FileSystem, path: string, { length, check }: LogEnd): Promise<boolean> {
  const file = await fs.open(path, "read");
  try {
    const bytes = await readAt(file, length - CHECK_FROM_END, CHECK_FROM_END);
    return bytes.toString("latin1") === `${check}"}\n`;
  } finally {
    await file.close();
  }
}

/**
 * The damage of a log that ends below its mark, where it does: at least so much of it is missing.
 *
 * @param begin Where it begins behind its base: there is such a segment, as a base is written later.
 */
export function findLostEnd(segments: readonly Segment[], kind: string, mark: LogEnd | undefined, begin?: LogBegin): FileDamage | undefined {
  if (begin && segments.length === 0) return { file: segmentName(kind, begin.segment), offset: 0, length: 0, reason: MISSING };
  if (!mark) return undefined;
  const marked = segments.find(({ number }) => number === mark.segment);
  const file = segmentName(kind, mark.segment);
  // A file that is missing before another one shows there.
  if (!marked) return segments.some(({ number }) => number > mark.segment) ? undefined : { file, offset: 0, length: 0, reason: MISSING };
  const { size } = marked.scan;
  if (size < mark.length) return { file, offset: size, length: 0, reason: `ends here, and once had ${mark.length} bytes` };
  const { name, scan } = segments.at(-1)!;
  const lines = mark.next - scan.next;
  return lines > 0 ? { file: name, offset: scan.end, length: 0, reason: `${lines} line${lines === 1 ? "" : "s"} missing before ${mark.next}` } : undefined;
}
