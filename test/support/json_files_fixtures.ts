import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { logSeed, SEAL_LENGTH, seal } from "../../adapters/stores/json_files/log/sealed_line.ts";
import {
  type FileSystem,
  type JsonFileOptions,
  type JsonFileStore,
  nodeFileSystem,
  type OpenFile,
  openJsonFiles,
} from "../../adapters/stores/json_files/mod.ts";
import type { UtcMillis } from "../../core/branded_types.ts";
import { childProgram } from "./child_program.ts";
import { type Child, startNode } from "./start_child.ts";

/** The clock of the tests. */
export const NOW = Date.parse("2026-11-21T10:00:00Z") as UtcMillis;

/** The first file of observations. */
export const FIRST_SEGMENT = "obs/obs-00000001.ndjson";

/** A new directory, removed when the test file is done. */
export async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "mazaneh-"));
  after(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** Copies a store's directory in the state in which a crash at this moment would leave it. */
export async function copyOf(directory: string): Promise<string> {
  const copy = await newDirectory();
  // Skips sockets, which cannot be copied and are not needed to open the copy.
  await cp(directory, copy, { recursive: true, filter: (path) => !/\/s\.\d{8}\./.test(path) });
  return copy;
}

/** Opens a store with the tests' clock. */
export function openAt(directory: string, options: Partial<JsonFileOptions> = {}): Promise<JsonFileStore> {
  return openJsonFiles(directory, { clock: () => NOW, ...options });
}

/** A file's lines, without the empty line at the end. */
export async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, "utf8")).split("\n").slice(0, -1);
}

/** Changes a file of a directory as text with one character for each byte. */
export async function edit(directory: string, file: string, change: (text: string) => string): Promise<void> {
  const path = join(directory, file);
  await writeFile(path, change(await readFile(path, "latin1")), "latin1");
}

/** Changes the text of a log line, or of a document (seed 0), and corrects its checksum. */
export function resealed(line: string, seed: number, change: (text: string) => string): string {
  return seal(change(line.slice(0, -SEAL_LENGTH)), seed);
}

/** Returns the text of a log or, without `log`, of a document as a later version of the program would write it. */
export function ofLaterVersion(text: string, log?: string): string {
  const [header = "", ...lines] = text.split("\n");
  const { storeId } = JSON.parse(header) as { storeId: string };
  const seed = log === undefined ? 0 : logSeed(storeId, log);
  return [resealed(header, seed, (body) => body.replace(/"schema":\d/, '"schema":9')), ...lines].join("\n");
}

/** Every file of a directory with its bytes, except the lock's files. */
export async function contentOf(directory: string): Promise<Record<string, string>> {
  const content: Record<string, string> = {};
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !entry.name.startsWith("lock."))
      content[path.slice(directory.length)] = await readFile(path, "latin1");
  }
  return content;
}

/** Starts a process that tries to open a store: see store_suite_child.ts. */
export function startStoreChild(directory: string): Child {
  const program = childProgram(fileURLToPath(new URL("store_suite_child.ts", import.meta.url)));
  return startNode([program, directory], { hasMessages: true });
}

/** A call of the file system that a test can make fail: the name of the function, and the path. */
export type Fault = (call: keyof FileSystem | keyof OpenFile, path: string) => void;

/** A file system whose calls can fail: `fault` runs before each call, including calls of open files, and may throw. */
export function faultyFileSystem(fault: Fault): FileSystem {
  return failing(nodeFileSystem, fault);
}

/** Runs `fault` before each call of an open file or directory, with the path under which it was opened. */
function failing<Calls extends object>(calls: Calls, fault: Fault, openedAt?: string): Calls {
  const wrapped = Object.entries(calls).map(([name, call]: [string, (...args: unknown[]) => Promise<object>]) => {
    const guarded = async (...args: unknown[]): Promise<object> => {
      const path = openedAt ?? String(args[0]);
      fault(name as Parameters<Fault>[0], path);
      const opened = await call(...args);
      return name === "open" || name === "openDirectory" ? failing(opened, fault, path) : opened;
    };
    return [name, guarded];
  });
  return Object.fromEntries(wrapped) as Calls;
}

/** A failed system call. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: made by the test`), { code });
}
