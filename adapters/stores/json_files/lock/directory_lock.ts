import { randomBytes } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import { formatTimestamp } from "../../../../core/internal.ts";
import type { UtcMillis } from "../../../../core/mod.ts";
import { codeOf, StoreError } from "../../shared/store_error.ts";
import type { Folder } from "../data_directory.ts";
import { createHealth, DirectoryInUse, type Owner } from "../errors.ts";
import { type FileSystem, ifThere, removeIfThere } from "../file_system.ts";
import { readDocument, replaceDocument, temporaryName, writeDocument } from "../replace_document.ts";
import { isListening, listen, SOCKETS } from "./socket.ts";

/** The exclusive right to write to a directory. */
export interface Lock {
  /** Higher than the generation of every earlier owner. */
  readonly generation: number;
  /** Sets the handler of requests on the lock's socket. It also gets the requests that arrived before this call. */
  serve(handler: RequestListener): void;
  close(): Promise<void>;
}

interface LockFile extends Owner {
  readonly generation: number;
  /** The path of the owner's socket, relative to the store. */
  readonly socket: string;
  readonly released: boolean;
}

const LOCK_NAME = /^lock\.(\d{8})$/;
const SOCKET_NAME = /^s\.(\d{8})\.[0-9a-f]+$/;
const PLAN = { kind: "lock", schema: 1, remedy: "Remove it when no process uses the directory" };
/** How often the owner checks that it still holds the lock. */
const HEARTBEAT_MS = 5_000;

/**
 * Takes the lock of a directory, or throws `DirectoryInUse`. If another process takes over the lock later, the store
 * fails, because this process must no longer write.
 *
 * To become the owner, a process creates the next `lock.<generation>`, which only one process can do. The owner listens
 * on the socket named in that file. A process that wants the lock asks the kernel whether anyone listens there. This
 * works immediately after `kill -9` and after a power cut. Process ids are not used, because containers reuse them.
 */
export async function acquireLock(folder: Folder, now: UtcMillis): Promise<Lock> {
  const { fs, directory } = folder;
  for (;;) {
    const current = await readLock(fs, directory);
    if (current && (await isOwned(current, directory))) throw new DirectoryInUse(directory, current);
    const lock = await tryGeneration(folder, (current?.generation ?? 0) + 1, now);
    if (lock) return lock;
  }
}

/** The socket of the process that owns a directory, or `undefined` if no process owns it. */
export async function findOwner(fs: FileSystem, directory: string): Promise<string | undefined> {
  const current = await ifThere(readLock(fs, directory));
  return current && (await isOwned(current, directory)) ? join(directory, current.socket) : undefined;
}

async function isOwned({ released, socket }: LockFile, directory: string): Promise<boolean> {
  return !released && isListening(join(directory, socket));
}

async function readLock(fs: FileSystem, directory: string): Promise<LockFile | undefined> {
  for (;;) {
    const generation = highest(await fs.list(directory));
    if (generation === 0) return undefined;
    const path = join(directory, lockName(generation));
    const lock = await readDocument<LockFile>(fs, path, PLAN);
    if (lock) return lock; // If the file is missing, a later owner has just removed it.
  }
}

async function tryGeneration(folder: Folder, generation: number, now: UtcMillis): Promise<Lock | undefined> {
  const { fs, directory } = folder;
  const name = `s.${String(generation).padStart(8, "0")}.${randomBytes(6).toString("hex")}`;
  const path = join(directory, lockName(generation));
  let serve: Lock["serve"] = () => undefined;
  const serving = new Promise<RequestListener>((resolve) => (serve = resolve));
  const removeSocket = await listen(join(directory, SOCKETS, name), async (...call) => (await serving)(...call));
  const health = createHealth();
  const file: LockFile = {
    ...{ generation, socket: `${SOCKETS}/${name}`, pid: process.pid, host: hostname() },
    ...{ since: formatTimestamp(now), released: false },
  };

  try {
    if (!(await claim({ fs, health, directory }, file))) {
      await removeSocket();
      return undefined;
    }
    await removeStale(fs, directory, generation);
  } catch (error) {
    await removeSocket(); // A socket left open would make the directory count as owned until this process ends.
    throw error;
  }

  const heartbeat = setInterval(async () => {
    const names = await fs.list(directory).catch(() => undefined);
    if (!names || highest(names) === generation) return;
    clearInterval(heartbeat);
    folder.health.fail(new StoreError(`Another process has taken over the store "${directory}"`, 71));
  }, HEARTBEAT_MS);
  heartbeat.unref();

  return {
    generation,
    serve,
    async close() {
      clearInterval(heartbeat);
      // The file is not removed, so that no other process gets the same generation.
      await replaceDocument({ fs, health }, path, PLAN, { ...file, released: true }).catch(() => {});
      await removeSocket();
    },
  };
}

/** Creates the file of a generation. Returns whether this process now holds the lock. */
async function claim(folder: Folder, file: LockFile): Promise<boolean> {
  const { fs, directory } = folder;
  const path = join(directory, lockName(file.generation));
  const temporary = temporaryName(path);
  try {
    await writeDocument(folder, temporary, PLAN, file);
    await fs.link(temporary, path);
    await fs.syncDirectory(directory);
  } catch (error) {
    // Another process has created the file, or already holds the lock and has removed our temporary file.
    if (codeOf(error) === "EEXIST" || codeOf(error) === "ENOENT") return false;
    throw error;
  } finally {
    await removeIfThere(fs, temporary);
  }
  return highest(await fs.list(directory)) === file.generation;
}

/** Removes files of earlier generations. A slow process that then creates such a file again does not get the lock. */
async function removeStale(fs: FileSystem, directory: string, generation: number): Promise<void> {
  for (const name of await fs.list(directory)) {
    if (Number(LOCK_NAME.exec(name)?.[1] ?? generation) < generation - 1)
      await removeIfThere(fs, join(directory, name));
  }
  for (const name of await readdir(join(directory, SOCKETS))) {
    if (Number(SOCKET_NAME.exec(name)?.[1] ?? generation) < generation)
      await rm(join(directory, SOCKETS, name), { force: true });
  }
}

function highest(names: readonly string[]): number {
  return names.reduce((top, name) => Math.max(top, Number(LOCK_NAME.exec(name)?.[1] ?? 0)), 0);
}

function lockName(generation: number): string {
  return `lock.${String(generation).padStart(8, "0")}`;
}
