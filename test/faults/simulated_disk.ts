import type { Random } from "../support/seeded_random.ts";

/** The target of a name: a file's number, or a directory. */
export type Entry = number | "directory";

/** All names and contents of a disk. */
export interface Image {
  readonly names: ReadonlyMap<string, Entry>;
  readonly contents: ReadonlyMap<number, Uint8Array>;
}

/** A change of a disk, or a sync. */
export type DiskOp =
  | { readonly op: "write"; readonly inode: number; readonly at: number; readonly bytes: Uint8Array }
  | { readonly op: "truncate"; readonly inode: number; readonly length: number }
  /** `done`: whether the call reported success. */
  | { readonly op: "sync"; readonly inode: number; readonly done: boolean }
  /** `set` is the name that is created in a directory, `unset` the name that is removed; a rename does both. */
  | {
      readonly op: "name";
      readonly directory: string;
      readonly unset: string | undefined;
      readonly set: string | undefined;
      readonly entry: Entry | undefined;
    }
  | { readonly op: "syncDirectory"; readonly directory: string };

type ContentOp = Extract<DiskOp, { op: "write" | "truncate" }>;
type NameOp = Extract<DiskOp, { op: "name" }>;

/** A disk that may lose its last changes in a power cut. */
export interface Disk {
  /** Carries out an operation; returns whether a power cut may now leave other states than before. */
  apply(op: DiskOp): boolean;
  /** At most `limit` different states that a power cut may leave now: all, or a random selection. */
  crashStates(limit: number, random: Random): Generator<Image>;
}

/** The number of bytes that a device writes as a unit. */
const SECTOR = 512;
const EMPTY = new Uint8Array();

/** A disk with nothing but this directory. */
export function emptyDisk(directory: string): Image {
  return { names: new Map([[directory, "directory"]]), contents: new Map() };
}

/**
 * Models only the guarantees of a file system: content is safe after its file was synced, a name after its directory
 * was synced. Any other change may survive or be lost, independently of other changes: a write may survive completely,
 * not at all, cut at any sector, or with a sector of zeros. A failed sync drops its data, as Linux may: the pages then
 * count as clean, and the next sync reports success.
 */
export function createDisk(image: Image): Disk {
  const names = new Map(image.names);
  const contents = new Map(image.contents);
  const pending = new Map<number, ContentOp[]>();
  let pendingNames: NameOp[] = [];

  function apply(op: DiskOp): boolean {
    switch (op.op) {
      case "write":
      case "truncate": {
        const changes = pending.get(op.inode);
        if (changes) changes.push(op);
        else pending.set(op.inode, [op]);
        return true;
      }
      case "sync": {
        const changes = pending.get(op.inode) ?? [];
        pending.delete(op.inode);
        if (op.done) contents.set(op.inode, contentAfter(contents.get(op.inode), changes, []));
        return changes.length > 0;
      }
      case "name":
        pendingNames.push(op);
        return true;
      case "syncDirectory": {
        for (const change of pendingNames) if (change.directory === op.directory) rename(names, change);
        const left = pendingNames.filter((change) => change.directory !== op.directory);
        const changed = left.length < pendingNames.length;
        pendingNames = left;
        return changed;
      }
    }
  }

  function* crashStates(limit: number, random: Random): Generator<Image> {
    const files = [...pending].map(([inode, changes]) => ({
      inode,
      changes,
      variants: changes.map((change) => variantsOf(change, random)),
    }));
    const sizes = [
      ...pendingNames.map(() => 2),
      ...files.flatMap(({ variants }) => variants.map((list) => list.length)),
    ];
    for (const choice of choices(sizes, limit, random)) {
      let at = 0;
      const found = new Map(names);
      for (const change of pendingNames) if (choice[at++] === 0) rename(found, change);
      const inside = new Map(contents);
      for (const { inode, changes, variants } of files) {
        const outcomes = variants.map((list) => list[choice[at++]!]!);
        inside.set(inode, contentAfter(contents.get(inode), changes, outcomes));
      }
      // A file that was never synced may have a name but no content.
      for (const entry of found.values()) if (entry !== "directory" && !inside.has(entry)) inside.set(entry, EMPTY);
      yield { names: reachable(found), contents: inside };
    }
  }

  return { apply, crashStates };
}

/** The outcome of a change: kept, dropped, `cut` after some bytes, or with a `hole` that reads as zeros. */
interface ChangeOutcome {
  readonly kept: boolean;
  readonly cut?: number;
  readonly hole?: readonly [from: number, to: number];
}

const KEPT: ChangeOutcome = { kept: true };
const DROPPED: ChangeOutcome = { kept: false };

/** All outcomes: kept, dropped, cut at any sector or at one random place, or with zeros in one sector or in all. */
function variantsOf(change: ContentOp, random: Random): readonly ChangeOutcome[] {
  if (change.op === "truncate") return [KEPT, DROPPED];
  const length = change.bytes.length;
  const outcomes = [KEPT, DROPPED, { kept: true, hole: [0, length] as const }];
  const edges: number[] = [];
  for (let edge = SECTOR - (change.at % SECTOR); edge < length; edge += SECTOR) edges.push(edge);
  if (length > 1) outcomes.push({ kept: true, cut: 1 + random.below(length - 1) } as ChangeOutcome);
  for (const edge of edges) outcomes.push({ kept: true, cut: edge } as ChangeOutcome);
  if (edges.length > 0) {
    [0, ...edges].forEach((edge, i) => outcomes.push({ kept: true, hole: [edge, edges[i] ?? length] as const }));
  }
  return outcomes;
}

function contentAfter(
  before: Uint8Array | undefined,
  changes: readonly ContentOp[],
  outcomes: readonly ChangeOutcome[],
): Uint8Array {
  let content = before ?? EMPTY;
  changes.forEach((change, i) => {
    const { kept, cut, hole } = outcomes[i] ?? KEPT;
    if (!kept) return;
    const length = change.op === "truncate" ? change.length : change.at + (cut ?? change.bytes.length);
    const next = new Uint8Array(change.op === "truncate" ? length : Math.max(content.length, length));
    next.set(content.subarray(0, next.length));
    if (change.op === "write") {
      next.set(change.bytes.subarray(0, length - change.at), change.at);
      if (hole) next.fill(0, change.at + hole[0], change.at + hole[1]);
    }
    content = next;
  });
  return content;
}

function rename(names: Map<string, Entry>, { unset, set, entry }: NameOp): void {
  if (unset !== undefined) names.delete(unset);
  if (set !== undefined && entry !== undefined) names.set(set, entry);
}

/** Names whose directory exists. */
function reachable(names: ReadonlyMap<string, Entry>): Map<string, Entry> {
  const top = Math.min(...[...names.keys()].map((path) => path.length));
  return new Map(
    [...names].filter(
      ([path]) => path.length === top || names.get(path.slice(0, path.lastIndexOf("/"))) === "directory",
    ),
  );
}

/** All lists of numbers below `sizes`. If these are more than `limit` lists: some of them. */
function* choices(sizes: readonly number[], limit: number, random: Random): Generator<readonly number[]> {
  const total = sizes.reduce((product, size) => product * size, 1);
  if (total <= limit) {
    for (let n = 0; n < total; n++) {
      let rest = n;
      yield sizes.map((size) => {
        const choice = rest % size;
        rest = Math.floor(rest / size);
        return choice;
      });
    }
    return;
  }
  const seen = new Set<string>();
  for (let n = 0; n < limit; n++) {
    const choice = n < 2 ? sizes.map(() => n) : sizes.map((size) => random.below(size));
    const name = choice.join();
    if (seen.has(name)) continue;
    seen.add(name);
    yield choice;
  }
}
