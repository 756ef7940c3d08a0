import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Socket } from "node:net";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { DirectoryInUse, StoreError, createHealth } from "../errors.ts";
import type { Health, Holder } from "../errors.ts";
import { codeOf, readWhole, removeIfThere } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { replaceDocument, temporaryName, writeDocument } from "../replace.ts";
import { connect, listen } from "./socket.ts";

/** The right to write to a directory, of which there is one. */
export interface Lock {
  /** Higher than that of every holder before. */
  readonly generation: number;
  /** Hands over the connections made to the lock's socket, those made before included. */
  serve(take: (socket: Socket) => void): void;
  /** Lets the directory go. */
  close(): Promise<void>;
}

/** How a lock is taken and kept. */
export interface LockOptions {
  readonly now: UtcMillis;
  /** How often the holder shows that it lives and looks whether it still holds the lock. */
  readonly beatMs: number;
  /** Called when another process has taken the lock over: this one must not write any more. */
  readonly onLost: (error: StoreError) => void;
}

interface LockFile extends Holder {
  readonly kind: "lock";
  readonly schema: 1;
  readonly generation: number;
  /** Name of the holder's socket, in the same directory. */
  readonly socket: string;
  /** Names the run of the machine's kernel, where it can be known. */
  readonly boot: string;
  readonly released: boolean;
}

const LOCK_NAME = /^lock\.(\d{8})$/;
const SOCKET_NAME = /^s\.(\d{8})\.[0-9a-f]+$/;
const BEATS_WATCHED = 3;

/**
 * Takes a directory, or throws `DirectoryInUse`.
 *
 * Each holder makes the next `lock.<generation>`, which only one can, and listens on a socket that
 * the file names. Who wants the lock asks the kernel whether somebody listens there: that needs no
 * process ids, which containers use again, and is right at once after `kill -9`.
 */
export async function acquireLock(fs: FileSystem, directory: string, options: LockOptions): Promise<Lock> {
  void bootId(); // Needed in a moment: it is read while the directory is looked at.
  for (;;) {
    const current = await readLock(fs, directory);
    if (current && (await isHeld(fs, directory, current, options.beatMs))) throw new DirectoryInUse(directory, current);
    const lock = await tryGeneration(fs, directory, (current?.generation ?? 0) + 1, options);
    if (lock) return lock;
  }
}

/** Connects to the process that holds a directory; `undefined` when none does. */
export async function connectToHolder(fs: FileSystem, directory: string): Promise<Socket | undefined> {
  const current = await readLock(fs, directory).catch(() => undefined);
  return current && !current.released ? connect(directory, current.socket) : undefined;
}

async function readLock(fs: FileSystem, directory: string): Promise<LockFile | undefined> {
  for (;;) {
    const generation = highest(await fs.list(directory));
    if (generation === 0) return undefined;
    const bytes = await readWhole(fs, join(directory, lockName(generation)));
    if (bytes === undefined) continue; // A newer one came, and this one was cleared away.
    try {
      return JSON.parse(bytes.toString()) as LockFile; // Written and synced before it got its name.
    } catch (error) {
      const path = join(directory, lockName(generation));
      throw new StoreError(`Cannot read "${path}". Remove it when no process uses the directory`, 65, { cause: error });
    }
  }
}

async function isHeld(fs: FileSystem, directory: string, lock: LockFile, beatMs: number): Promise<boolean> {
  if (lock.released) return false;
  const socket = await connect(directory, lock.socket);
  socket?.destroy();
  if (socket) return true;
  if (lock.boot === (await bootId())) return false;
  // From before a restart of the machine, or of another machine on shared storage, where our kernel
  // knows nothing of its socket: see whether its file changes. No clocks are compared.
  const path = join(directory, lockName(lock.generation));
  const before = await fs.changedAt(path);
  await delay(BEATS_WATCHED * beatMs);
  return (await fs.changedAt(path)) !== before;
}

async function tryGeneration(
  fs: FileSystem,
  directory: string,
  generation: number,
  { now, beatMs, onLost }: LockOptions,
): Promise<Lock | undefined> {
  const name = `s.${String(generation).padStart(8, "0")}.${randomBytes(6).toString("hex")}`;
  const path = join(directory, lockName(generation));
  const waiting: Socket[] = [];
  let take = (socket: Socket): void => void waiting.push(socket);
  const listening = await listen(directory, name, (socket) => take(socket));
  const health = createHealth(() => {});
  const file: LockFile = {
    ...{ kind: "lock", schema: 1, generation, socket: name, pid: process.pid, host: hostname() },
    ...{ since: formatTimestamp(now), boot: await bootId(), released: false },
  };

  try {
    if (!(await claim(fs, health, directory, file))) {
      await listening.close();
      return undefined;
    }
    await clearAway(fs, directory, generation);
  } catch (error) {
    await listening.close(); // Else the directory would count as held for as long as this process lives.
    throw error;
  }

  const beat = setInterval(async () => {
    const names = await fs.list(directory).catch(() => undefined);
    if (names && highest(names) !== generation) {
      clearInterval(beat);
      onLost(new StoreError(`Another process has taken the store "${directory}" over`, 71));
      return;
    }
    await fs.touch(path).catch(() => {});
  }, beatMs);
  beat.unref();

  return {
    generation,
    serve(handler) {
      take = handler;
      for (const socket of waiting.splice(0)) handler(socket);
    },
    async close() {
      clearInterval(beat);
      for (const socket of waiting.splice(0)) socket.destroy();
      // The file stays, so that its generation is never used again.
      await replaceDocument(fs, health, path, { ...file, released: true } as LockFile).catch(() => {});
      await listening.close();
    },
  };
}

/** Makes the file of a generation; tells whether this process holds the lock by that. */
async function claim(fs: FileSystem, health: Health, directory: string, file: LockFile): Promise<boolean> {
  const path = join(directory, lockName(file.generation));
  const temporary = temporaryName(path);
  try {
    await writeDocument(fs, health, temporary, file);
    await fs.link(temporary, path);
    await fs.syncDirectory(directory);
  } catch (error) {
    // Taken by another, or cleared away by one that has the lock already.
    if (codeOf(error) === "EEXIST" || codeOf(error) === "ENOENT") return false;
    throw error;
  } finally {
    await removeIfThere(fs, temporary);
  }
  return highest(await fs.list(directory)) === file.generation;
}

/** Removes what earlier holders and contenders left. Whoever still tries for an earlier generation cannot win it. */
async function clearAway(fs: FileSystem, directory: string, generation: number): Promise<void> {
  for (const name of await fs.list(directory)) {
    const lock = LOCK_NAME.exec(name)?.[1];
    const socket = SOCKET_NAME.exec(name)?.[1];
    if ((lock && Number(lock) < generation - 1) || (socket && Number(socket) < generation)) {
      await removeIfThere(fs, join(directory, name));
    }
  }
}

function highest(names: readonly string[]): number {
  return names.reduce((top, name) => Math.max(top, Number(LOCK_NAME.exec(name)?.[1] ?? 0)), 0);
}

function lockName(generation: number): string {
  return `lock.${String(generation).padStart(8, "0")}`;
}

let boot: Promise<string> | undefined;

/** Names the run of the kernel; empty where there is no such thing, which then counts as one run. */
function bootId(): Promise<string> {
  return (boot ??= readFile("/proc/sys/kernel/random/boot_id", "utf8").then((text) => text.trim()).catch(() => ""));
}
