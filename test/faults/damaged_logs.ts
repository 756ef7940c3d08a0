import { dirname, join } from "node:path";
import { type FileDamage, type JsonFileStore, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { AccountId, AssetCode, UtcMillis } from "../../core/branded_types.ts";
import { keyOf } from "../../core/internal.ts";
import type { ObservationKey } from "../../core/ports.ts";
import { NOW } from "../support/json_files_fixtures.ts";
import { createPriceModel } from "../support/price_model.ts";
import { createRandom } from "../support/seeded_random.ts";
import { observed } from "../support/store_suite.ts";
import { DAY } from "./acknowledged_writes.ts";
import { createFaultFs } from "./fault_fs.ts";
import { ask, carryOut, nextAct } from "./price_acts.ts";
import type { Trial, TrialResult } from "./random_trial.ts";
import { emptyDisk, type Image } from "./simulated_disk.ts";
import { CUT, MUTATIONS, type Mutation } from "./ways_to_damage_files.ts";

const ACCOUNT = "alice" as AccountId;
const SEGMENT_BYTES = 6_000;
const CODES = ["USD_RLS", "EUR_RLS"] as AssetCode[];
const LAST = observed(9_999, 5);

/**
 * Damages logs in many ways and opens them. Each byte must then either belong to a served line that the store wrote, or
 * be reported as damage. Reported bytes must be kept: in the quarantine if they belong to an incomplete write,
 * otherwise in their place. A store with damaged counters must not open.
 */
export async function mutateLogs({ directory, seed, rounds, enough }: Trial): Promise<TrialResult> {
  const random = createRandom(seed);
  const images = await written(directory, seed);
  const foreign = textsOf((await written(directory, seed + 1)).stopped, directory);
  const counts = { mutations: 0, opened: 0, refused: 0, linesKept: 0, bytesDamaged: 0 };
  const violations: string[] = [];

  for (; counts.mutations < rounds && violations.length < enough; counts.mutations++) {
    // Every third mutation cuts the end of a file: the counters and the last price log alternately. Each cut of a file
    // removes one byte more than the cut before.
    const isStopped = random.chance(0.5);
    const image = isStopped ? images.stopped : images.crashed;
    const sources = { own: textsOf(image, directory), foreign };
    const logs = [...sources.own.keys()].filter((path) => path.startsWith("obs/"));
    const counters = [...sources.own.keys()].find((path) => path.startsWith("quota/"))!;
    const step = Math.floor(counts.mutations / 3);
    const isCut = counts.mutations % 3 === 0;
    let path = counters;
    if (!(isCut ? step % 2 === 0 : random.chance(0.25)))
      path = isCut || random.chance(0.5) ? logs.at(-1)! : random.pick(logs);
    const { name, change } = isCut ? CUT : random.pick(MUTATIONS);
    const text = change(sources.own.get(path)!, { random, path, sources, step: Math.floor(step / 2) });
    const texts = new Map([...sources.own, [path, text]]);
    const tried = await open({
      directory,
      image: withTexts(image, directory, texts),
      texts,
      path,
      name,
      isStopped,
      whole: sources.own,
    });
    if (tried.refused) counts.refused++;
    else counts.opened++;
    counts.linesKept += tried.linesKept;
    counts.bytesDamaged += tried.bytesDamaged;
    violations.push(...tried.problems.map((problem) => `mutation ${counts.mutations}, ${name} in ${path}: ${problem}`));
  }
  return { ...counts, violations };
}

interface Written {
  /** The store after a clean stop. */
  readonly stopped: Image;
  /** The store after its process was killed. */
  readonly crashed: Image;
}

/** Makes a store with a base and many groups of lines. Some groups correct records of earlier groups. */
async function written(directory: string, seed: number): Promise<Written> {
  const random = createRandom(seed);
  const disk = createFaultFs(emptyDisk(dirname(directory)));
  const store = await openJsonFiles(directory, { clock: () => NOW, fs: disk.fs, segmentBytes: SEGMENT_BYTES });
  const model = createPriceModel(() => NOW);
  for (let group = 0; group < 40; group++) {
    const act = nextAct(model, random, { codes: CODES, isAlone: true });
    carryOut(model, act);
    await ask(store, act);
    if (group === 15) await store.compact();
    if (group % 2 === 0) await store.quota.take(ACCOUNT, DAY, 300);
  }
  const crashed = disk.image();
  await store.close();
  return { stopped: disk.image(), crashed };
}

interface Attempt {
  readonly directory: string;
  readonly image: Image;
  readonly texts: ReadonlyMap<string, string>;
  readonly path: string;
  readonly name: Mutation["name"];
  /** Whether the store was stopped cleanly, so that a crash cannot explain a changed byte. */
  readonly isStopped: boolean;
  /** The undamaged logs. */
  readonly whole: ReadonlyMap<string, string>;
}

interface Tried {
  readonly refused: boolean;
  readonly linesKept: number;
  readonly bytesDamaged: number;
  readonly problems: readonly string[];
}

async function open(attempt: Attempt): Promise<Tried> {
  const { directory, image, texts, path, whole } = attempt;
  const disk = createFaultFs(image);
  const options = { clock: () => NOW, fs: disk.fs, segmentBytes: SEGMENT_BYTES };
  let store: JsonFileStore;
  try {
    store = await openJsonFiles(directory, options);
  } catch (error) {
    return {
      refused: true,
      linesKept: 0,
      bytesDamaged: 0,
      problems: refusalProblems(error, texts, textsOf(disk.image(), directory)),
    };
  }
  const problems: string[] = [];
  const covered = [...store.damages, ...store.torn];
  const parts = partsOf(texts, covered, textsOf(disk.image(), directory));
  problems.push(...parts.problems, ...foreignLines(parts.kept, whole));
  if (path.startsWith("quota/")) {
    const units = unitsIn(parts.kept.get(path) ?? []);
    const used = await store.quota.used(ACCOUNT, DAY);
    if (used !== units) problems.push(`${used} units are counted, but the kept lines have ${units}`);
    if (attempt.name.startsWith("flip") && texts.get(path) !== whole.get(path) && used < 20)
      problems.push(`the store opens with ${used} of 20 units after a bit flip`);
  }
  // A torn write cannot damage a whole file, because the header was synced before the first line.
  if (attempt.name.startsWith("all ") && store.damages.length === 0)
    problems.push("the store treats a whole file as a torn write");
  if (attempt.isStopped && texts.get(path) !== whole.get(path) && covered.length === 0)
    problems.push("the store does not report the change");
  const records = recordsIn(parts.kept);
  problems.push(...wrongRecords(store, records));
  await store.observations.append([LAST]);
  records.set(keyOf(LAST), shown(LAST));
  problems.push(...wrongRecords(store, records).map((problem) => `appended to: ${problem}`));
  await store.close();

  const again = await openJsonFiles(directory, options);
  problems.push(...wrongRecords(again, records).map((problem) => `opened again: ${problem}`));
  problems.push(...(await lostByUndo(again)));
  await again.close();
  const bytesDamaged = covered.reduce((sum, { length }) => sum + length, 0);
  return { refused: false, linesKept: [...parts.kept.values()].flat().length, bytesDamaged, problems };
}

function refusalProblems(
  error: unknown,
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const { name, exitCode } = error as { name?: string; exitCode?: number };
  if (name !== "DataDamaged" || exitCode !== 65) return [`does not open: ${String(error)}`];
  const changed = [...before].filter(([path, text]) => after.get(path) !== text);
  return changed.map(([path]) => `refuses, and changes ${path}`);
}

/** Splits each log into intact lines and other bytes. A repair must keep both, in place or in the quarantine. */
function partsOf(
  texts: ReadonlyMap<string, string>,
  covered: readonly FileDamage[],
  after: ReadonlyMap<string, string>,
) {
  const kept = new Map<string, readonly string[]>();
  const problems: string[] = [];
  for (const [path, text] of texts) {
    if (path.startsWith("quarantine/")) continue;
    const file = path.slice(path.indexOf("/") + 1);
    const noted = (after.get(`quarantine/${file}`) ?? "")
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { offset: number; b64: string });
    // A file whose creation was interrupted is kept whole in the quarantine, and created again.
    const whole = noted.find(({ offset, b64 }) => offset === 0 && latin1(b64) === text);
    const holes =
      whole && !covered.some((damage) => damage.file === file && damage.length > 0)
        ? [{ offset: 0, length: text.length }]
        : covered.filter((damage) => damage.file === file && damage.length > 0);
    let rest = "";
    let end = 0;
    for (const { offset, length } of [...holes].sort((a, b) => a.offset - b.offset)) {
      if (offset < end) problems.push(`${path}: bytes at ${offset} are counted twice`);
      rest += text.slice(end, offset);
      end = offset + length;
      const bytes = text.slice(offset, end);
      const isKept =
        after.get(path)?.slice(offset, end) === bytes ||
        noted.some((note) => note.offset === offset && latin1(note.b64) === bytes);
      if (!isKept) problems.push(`${path}: bytes at ${offset} are kept neither in their place nor in the quarantine`);
    }
    rest += text.slice(end);
    // If only the line feed of the last line is missing, the line is kept, and the damage is reported.
    if (
      rest.endsWith('"}') &&
      covered.some((damage) => damage.file === file && damage.length === 0 && damage.offset === text.length)
    )
      rest += "\n";
    if (rest !== "" && !rest.endsWith("\n")) problems.push(`${path}: the last kept line has no line feed`);
    kept.set(
      path,
      rest
        .split("\n")
        .slice(0, -1)
        .filter((line) => !line.startsWith('{"kind"')),
    );
  }
  return { kept, problems };
}

/** Every kept line must have been written to the same log, and must occur only once. */
function foreignLines(
  kept: ReadonlyMap<string, readonly string[]>,
  whole: ReadonlyMap<string, string>,
): readonly string[] {
  const problems: string[] = [];
  for (const log of ["obs/base", "obs/obs", "quota/"]) {
    const ours = new Set([...whole].filter(([path]) => path.startsWith(log)).flatMap(([, text]) => text.split("\n")));
    let last = 0;
    for (const line of [...kept]
      .sort()
      .filter(([path]) => path.startsWith(log))
      .flatMap(([, lines]) => lines)) {
      const { s } = JSON.parse(line) as { s: number };
      if (!ours.delete(line)) problems.push(`the store keeps a foreign line, or a line twice: ${line}`);
      if (s <= last) problems.push(`the store keeps line ${s} after line ${last}`);
      last = s;
    }
  }
  return problems;
}

/** The records in the kept lines. Their names are asset and time, and for pending records also the source. */
function recordsIn(kept: ReadonlyMap<string, readonly string[]>): Map<string, string> {
  const records = new Map<string, string>();
  const lines = [...kept].sort().flatMap(([path, lines]) => (path.startsWith("obs/") ? lines : []));
  for (const line of lines) {
    const { type, source = "", ...columns } = JSON.parse(line) as Columns;
    if (type === "replaced") continue; // Stores nothing.
    const member = <T>(name: keyof Columns, row: number, usual: T): T =>
      ([columns[name as "value"] ?? usual].flat() as T[])[Array.isArray(columns[name as "value"]) ? row : 0]!;
    for (const [row, businessTime] of (columns.businessTime ?? []).entries()) {
      const qualityStatus = member("qualityStatus", row, type === "pending" ? "PENDING" : "ACCEPTED");
      const one = { code: columns.code, businessTime, value: member("value", row, 0), qualityStatus };
      if (type === "removal") records.delete(`${keyOf(one)}${source}`);
      else records.set(`${keyOf(one)}${qualityStatus === "PENDING" ? source : ""}`, shown(one));
      if (type === "observations") records.delete(`${keyOf(one)}${source}`);
    }
  }
  return records;
}

/** The members of a price line in the log. */
interface Columns {
  readonly type: string;
  readonly source?: string;
  readonly code: AssetCode;
  readonly businessTime?: readonly UtcMillis[];
  readonly value: readonly number[];
  readonly qualityStatus?: string | readonly string[];
}

type Shown = ObservationKey & { readonly value: number; readonly qualityStatus: string };

function shown(one: Shown): string {
  return `${keyOf(one)} ${one.qualityStatus} ${one.value}`;
}

function unitsIn(lines: readonly string[]): number {
  const { r, u } = JSON.parse(lines.at(-1) ?? '{"u":0}') as { r?: number; u?: number };
  return r ?? u ?? 0;
}

function wrongRecords(store: JsonFileStore, records: ReadonlyMap<string, string>): readonly string[] {
  const found = Array.from(store.observations.records(), shown);
  const expected = [...records.values()];
  const [wrong] = found.filter((one) => !expected.includes(one));
  if (wrong) return [`serves ${wrong}`];
  return found.length === expected.length ? [] : [`the store serves ${found.length} of ${expected.length} records`];
}

/** After damage, the record that an undo should restore may be lost. The undo must then keep the present record. */
async function lostByUndo({ observations, imports, damages }: JsonFileStore): Promise<readonly string[]> {
  const decided = [...observations.records("ACCEPTED"), ...observations.records("REJECTED")];
  for (const { imported } of await imports.list()) await imports.undo(imported.id);
  const lost = decided.filter(({ code, businessTime }) => !observations.find(code, businessTime)).length;
  return lost > 0 && damages.length > 0 ? [`an undo removes ${lost} records that may have replaced others`] : [];
}

/** The logs and the quarantined files, by path below the store's directory, with one character for each byte. */
function textsOf({ names, contents }: Image, directory: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [path, entry] of names) {
    if (entry !== "directory" && path.endsWith(".ndjson"))
      texts.set(path.slice(directory.length + 1), Buffer.from(contents.get(entry)!).toString("latin1"));
  }
  return texts;
}

function withTexts({ names, contents }: Image, directory: string, texts: ReadonlyMap<string, string>): Image {
  const changed = new Map(contents);
  const all = new Map(names);
  let inode = -1;
  for (const [path, text] of texts) {
    all.set(join(directory, path), inode);
    changed.set(inode--, Uint8Array.from(Buffer.from(text, "latin1")));
  }
  return { names: all, contents: changed };
}

function latin1(base64: string): string {
  return Buffer.from(base64, "base64").toString("latin1");
}
