import { dirname } from "node:path";
import type { FileSystem, OpenFile } from "../../adapters/stores/json_files/mod.ts";
import { systemError } from "../support/json_files_fixtures.ts";
import type { DiskOp, Entry, Image } from "./simulated_disk.ts";

/** A call of the file-system port, or of an open file. */
export type Call = keyof FileSystem | keyof OpenFile;

/** The faults of an in-memory file system. */
export interface Faults {
  /** Runs before each call. It may throw, or return the number of bytes that a write stores. */
  readonly before?: ((call: Call, path: string) => number | undefined) | undefined;
  /** Runs at each change of the disk, before the call returns. */
  readonly record?: (op: DiskOp) => void;
}

/** An in-memory file system. */
export interface FaultFs {
  readonly fs: FileSystem;
  /** The content of the disk as the running program sees it. */
  image(): Image;
}

let inodes = 0;

/** Makes an in-memory file system with the content of an image. Calls `faults` at each call and change. */
export function createFaultFs(image: Image, faults: Faults = {}): FaultFs {
  const { before = () => undefined, record = () => {} } = faults;
  const names = new Map(image.names);
  const contents = new Map(image.contents);

  function inodeAt(path: string): number {
    const entry = names.get(path);
    if (entry === undefined) throw systemError("ENOENT");
    if (entry === "directory") throw systemError("EISDIR");
    return entry;
  }

  function rename(from: string | undefined, to: string | undefined, entry: Entry | undefined): void {
    if (from !== undefined) names.delete(from);
    if (to !== undefined && entry !== undefined) names.set(to, entry);
    const directory = dirname((to ?? from)!);
    record({ op: "name", directory, unset: from, set: to, entry });
  }

  function openFile(path: string, inode: number): OpenFile {
    async function sync(call: Call): Promise<void> {
      try {
        before(call, path);
      } catch (error) {
        record({ op: "sync", inode, done: false });
        throw error;
      }
      record({ op: "sync", inode, done: true });
    }
    return {
      async read(into, position) {
        before("read", path);
        const bytes = contents.get(inode)!.subarray(position, position + into.length);
        into.set(bytes);
        return bytes.length;
      },
      async write(bytes) {
        const count = Math.min(bytes.length, before("write", path) ?? bytes.length);
        const old = contents.get(inode)!;
        const written = bytes.slice(0, count);
        const content = new Uint8Array(old.length + count);
        content.set(old);
        content.set(written, old.length);
        contents.set(inode, content);
        record({ op: "write", inode, at: old.length, bytes: written });
        return count;
      },
      async truncate(length) {
        before("truncate", path);
        const content = new Uint8Array(length);
        content.set(contents.get(inode)!.subarray(0, length));
        contents.set(inode, content);
        record({ op: "truncate", inode, length });
      },
      datasync: () => sync("datasync"),
      sync: () => sync("sync"),
      async size() {
        before("size", path);
        return contents.get(inode)!.length;
      },
      async close() {
        before("close", path);
      },
    };
  }

  const fs: FileSystem = {
    async open(path, how) {
      before("open", path);
      if (how !== "create") return openFile(path, inodeAt(path));
      if (names.has(path)) throw systemError("EEXIST");
      const inode = ++inodes;
      contents.set(inode, new Uint8Array());
      rename(undefined, path, inode);
      return openFile(path, inode);
    },
    async list(directory) {
      before("list", directory);
      const start = `${directory}/`;
      const found = [...names.keys()].filter((path) => path.startsWith(start) && !path.includes("/", start.length));
      return found.map((path) => path.slice(start.length));
    },
    async makeDirectory(path) {
      before("makeDirectory", path);
      const missing: string[] = [];
      for (let at = path; !names.has(at); at = dirname(at)) missing.push(at);
      for (const directory of missing.reverse()) rename(undefined, directory, "directory");
    },
    async mode(path) {
      before("mode", path);
      return 0o700;
    },
    async link(from, to) {
      before("link", from);
      const inode = inodeAt(from);
      if (names.has(to)) throw systemError("EEXIST");
      rename(undefined, to, inode);
    },
    async rename(from, to) {
      before("rename", from);
      rename(from, to, inodeAt(from));
    },
    async remove(path) {
      before("remove", path);
      inodeAt(path);
      rename(path, undefined, undefined);
    },
    async openDirectory(path) {
      before("openDirectory", path);
      return {
        async sync() {
          before("sync", path);
          record({ op: "syncDirectory", directory: path });
        },
        async close() {
          before("close", path);
        },
      };
    },
    async syncDirectory(path) {
      before("syncDirectory", path);
      record({ op: "syncDirectory", directory: path });
    },
  };
  return { fs, image: () => ({ names: new Map(names), contents: new Map(contents) }) };
}
