/** A bug that a change could introduce, and the harness or test file that must find it. */
export interface SeededBug {
  readonly name: string;
  readonly file: string;
  readonly found: string;
  readonly changes: readonly { readonly find: string; readonly put: string }[];
}

const BUG = /^(.+?): (\S+), found by (.+)$/;

/**
 * Reads a table of bugs. The first line of a bug has its name, its file, and the harness or test file that finds it.
 * Every further line has a text that occurs once in the file, an arrow, and the replacement. The character `…` in a
 * replacement stands for the replaced text. A line that is indented by four spaces continues the line above.
 */
export function parseBugs(table: string): readonly SeededBug[] {
  const rows = table
    .trim()
    .replace(/\n {4}/g, " ")
    .split(/\n(?! )/);
  return rows.map((row) => {
    const [head, ...lines] = row.split(/\n {2}/);
    const [, name, file, found] = BUG.exec(head!) ?? [];
    if (!name || !file || !found || lines.length === 0) throw new Error(`Cannot read the bug "${row}"`);
    const changes = lines.map((line) => {
      const [find = "", put = ""] = line.split(/ →(?: |$)/);
      return { find, put: put.replaceAll("…", find) };
    });
    return { name, file, found, changes };
  });
}

/** Plants a bug in the text of its file; returns the new text. */
export function plant(text: string, { name, file, changes }: SeededBug): string {
  return changes.reduce((planted, { find, put }) => {
    const count = planted.split(find).length - 1;
    if (count !== 1) throw new Error(`Cannot plant "${name}": found ${count} times in ${file}: ${find}`);
    return planted.replace(find, () => put);
  }, text);
}

/** Bugs that the file store could have, each with the harness that must find it. They are planted one at a time. */
export const SEEDED_BUGS = parseBugs(`
appends without fdatasync: adapters/stores/json_files/log/log.ts, found by crashes
  await sync(); →
a new log file without a sync of its directory: adapters/stores/json_files/log/log_file.ts, found by crashes
  await health.synced(fs.syncDirectory(directory)); →
a replacement without a sync of its directory: adapters/stores/json_files/replace_document.ts, found by crashes
  await health.synced(directory.sync()); →
a rename before the file's sync: adapters/stores/json_files/replace_document.ts, found by crashes
  await health.synced(file.sync()); →
  await fs.rename(temporary, path); → … const renamed = await fs.open(path, "append");
    await health.synced(renamed.sync()); await renamed.close();
an answer that is sent before the sync: adapters/stores/json_files/log/log.ts, found by crashes
  await sync(); →
  publish(first); → … void sync().catch(() => {});
a record shown before the sync, and answered after it: adapters/stores/json_files/log/log.ts, found by crashes
  await sync(); →
  publish(first); → … await sync();
an answer that is sent before the write: adapters/stores/json_files/log/log.ts, found by kills
  await write(bytes); →
  await sync(); →
  publish(first); → … void (async () => {
    await new Promise((done) => setTimeout(done, 300)); await write(bytes); await sync(); })();
a checksum that leaves out the last byte: adapters/stores/json_files/log/sealed_line.ts, found by crashes
  line.subarray(0, open) → line.subarray(0, open - 1)
a short write that is not continued: adapters/stores/json_files/file_system.ts, found by failures
  for (let done = 0; done < bytes.length; ) { → for (let done = 0; done === 0; ) {
a failed sync that is retried: adapters/stores/json_files/log/log.ts, found by failures
  await health.synced(file.datasync()); → await file.datasync().catch(() => health.synced(file.datasync()));
a failed write whose bytes are not removed: adapters/stores/json_files/log/log.ts, found by failures
  await file.truncate(end.length); →
units that are served before they are reserved: adapters/stores/json_files/quota/unit_counter.ts, found by crashes
  return nextLines(counter, day); →
    const line = nextLines(counter, day); line.publish(); return { ...line, publish() {} };
units served before they are reserved, and a kill: adapters/stores/json_files/quota/unit_counter.ts, found by kills
  counter.isDue = true; → … const line = nextLines(counter, day); line.publish();
    if (line) return void setTimeout(() => day.log.append(() => { counter.isDue = false;
      return { ...line, publish() { if (counter.waiting.length > 0) writeSoon(counter, day); } }; }), 20);
a counter that is read, and written later: adapters/stores/json_files/quota/unit_counter.ts, found by quota races
  return { granted: true, used: ++counter.used }; →
    return Promise.resolve(counter.used).then((used) => ({ granted: true, used: (counter.used = used + 1) }));
a caller forgotten while a reservation ends: adapters/stores/json_files/quota/unit_counter.ts, found by quota races
  counter.isDue = false; →
  .catch((error: unknown) => { → .finally(() => (counter.isDue = false)) …
checksums that are not verified: adapters/stores/json_files/log/sealed_line.ts, found by mutations
  line.toString("latin1", open) === sealOf( → "" !== sealOf(
checksums that do not depend on the store and the log: adapters/stores/json_files/log/sealed_line.ts, found by mutations
  return crc32( → return 0 * crc32(
doubled lines that are read again: adapters/stores/json_files/log/scan_file.ts, found by mutations
  if (s < expected) → if (s < 0)
bad lines that are skipped silently: adapters/stores/json_files/log/scan_file.ts, found by mutations
  damages.push(line.damage); →
a log's lost end that is not reported: adapters/stores/json_files/log/log_end_marks.ts, found by mutations
  if (!mark) return undefined; → return undefined;
a mark that is saved before its file is synced: adapters/stores/json_files/log/log_file.ts, found by crashes
  await health.synced(file.sync()); → await writer.onSegment?.(kind, written); …
a compacted log that is renamed before it is synced: adapters/stores/json_files/log/log_file.ts, found by crashes
  await health.synced(file.sync()); →
files removed before the name of the compacted log is synced:
    adapters/stores/json_files/maintenance/make_store_from_content.ts, found by crashes
  await health.synced(fs.syncDirectory(directory)); →
files removed before the compacted log has its name: adapters/stores/json_files/maintenance/compact.ts, found by crashes
  let written = 0; → await removeBefore(fs, directory, segment); …
a compaction that misses the last appends: adapters/stores/json_files/maintenance/compact.ts, found by crashes
  let atStart: → let early; …
  const before = await countBytes(); → early = state.freeze(); …
  const frozen = state.freeze(); → const frozen = early;
a compaction that misses changes made while it runs: adapters/stores/price_state/price_state.ts, found by crashes
  yield* kept.records(); →
a compaction that forgets replaced records: adapters/stores/json_files/maintenance/compact.ts, found by crashes
  before: await findReplacedBefore( → before: new Map(), unused: (
prices that are shown before they are written: adapters/stores/json_files/price_writer.ts, found by failures
  last = entries; → … for (const one of entries) state.load(one, state.market.sequence() + 1); state.finishLoading();
  publish(first) { → … if (first) return result;
a write that ignores the previous write in the same sync: adapters/stores/json_files/price_writer.ts, found by crashes
  draft.add(last); →
lines with numbers that differ from the log's: adapters/stores/json_files/price_writer.ts, found by crashes
  state.load(entry, first + i) → state.load(entry, first + i + 1)
a separate sync for each line of a write: adapters/stores/json_files/log/log.ts, found by crashes
  await commit(lines, (first) => { → await (async (all, publish) => {
    let first; for (const line of all) await commit([line], (n) => (first ??= n));
    publish(first); })(lines, (first) => {
an undo that assigns restored records to the undone import: adapters/stores/price_state/undo_import.ts, found by crashes
  ({ ...entry, undo: id }) → ({ ...entry, import: id, undo: id })
an undo that does not restore pending records: adapters/stores/price_state/undo_import.ts, found by crashes
  if (isTaken && → if (!isTaken &&
an undo of a record that replaced a damaged line: adapters/stores/price_state/undo_import.ts, found by mutations
  if (isDamaged && gone.length > 0) → if (isDamaged && gone.length > 99)
a compaction that removes its own base file: adapters/stores/json_files/log/log_base.ts, found by crashes
  if (number < base) await → if (number <= base) await
versions that repeat after a compaction: adapters/stores/json_files/log/read_log.ts, found by crashes
  (record: T): void => accept(record, begin.next - 1) → accept
lines appended to the old file if a new one fails: adapters/stores/json_files/log/log.ts, found by failures
  if (isDue || end.length → if (end.length
removed records that return at the next start: adapters/stores/json_files/log/entry_line.ts, found by crashes
  times: businessTime } as → times: businessTime.slice(1) } as
unchanged records that are stored again: core/series/changed_records.ts, found by crashes
  one.value === other.value && → one.insertTime === other.insertTime &&
a directory that stays locked if opening fails: adapters/stores/json_files/lock/directory_lock.ts, found by failures
  await removeSocket(); // A socket left open would make the directory count as owned until this process ends. →
a directory that stays locked after a file could not be closed: adapters/stores/json_files/log/log.ts, found by failures
  await file.close().catch(() => {}); → await file.close();
a new line appended to a damaged one: adapters/stores/json_files/log/open_log.ts, found by mutations
  if (lastByte !== LINE_FEED) { → if (lastByte !== lastByte) {
a log without a header that is continued: adapters/stores/json_files/log/read_log.ts, found by mutations
  end.offset > 0 && →
a damaged line feed that counts as a torn write: adapters/stores/json_files/log/scan_file.ts, found by mutations
  && sealProblem(line.subarray(0, -1), seed) !== undefined; → ;
`);
