import { dirname } from "node:path";
import * as zlib from "node:zlib";
import { crc32 } from "../../../core/internal.ts";
import { readRange, writeAll } from "../fs.ts";
import type { FileSystem, OpenFile } from "../fs.ts";
import { temporaryName } from "../replace.ts";

// A value with typed arrays in it as a file: 8 bytes that say what it is, length and checksum of the JSON that
// follows, in which `{"$":type,"n":length}` stands for each array, then the arrays' bytes in the same order, and last
// a checksum over all of it. Numbers are in this machine's byte order, which the JSON has to name.

const MAGIC = Buffer.from("mzsnap1\n");
const START_BYTES = 16;
const END_BYTES = 4;
const TYPES = { f64: Float64Array, i32: Int32Array, u8: Uint8Array } as const;
type Kept = Float64Array | Int32Array | Uint8Array;

/** Of large pieces, the runtime's own checksum is some times as fast, where it has one. */
const sumOf = (zlib as Partial<typeof zlib>).crc32 ?? crc32;

function sum(bytes: Uint8Array, before = 0): number {
  // For no bytes at all, zlib forgets those before and says 0.
  return bytes.length === 0 ? before : sumOf(bytes, before);
}

/** Writes a value to a new file and puts it in the place of the one at `path`: whoever reads it finds the old one or the new one, whole. */
export async function writeSnapshotFile(fs: FileSystem, path: string, value: object): Promise<void> {
  const arrays: Kept[] = [];
  const text = JSON.stringify(value, (_, member: unknown) => {
    const type = typeOf(member);
    return type === undefined ? member : { $: type, n: arrays[arrays.push(member as Kept) - 1]!.length };
  });
  const head = Buffer.from(text);
  const start = Buffer.alloc(START_BYTES);
  MAGIC.copy(start);
  start.writeUInt32LE(head.length, 8);
  start.writeUInt32LE(sum(head), 12);
  const temporary = temporaryName(path);
  const file = await fs.open(temporary, "create");
  try {
    try {
      let crc = 0;
      for (const bytes of [start, head, ...arrays.map(bytesOf)]) {
        crc = sum(bytes, crc);
        await writeAll(file, bytes);
      }
      const end = Buffer.alloc(END_BYTES);
      end.writeUInt32LE(crc);
      await writeAll(file, end);
      await file.sync();
    } finally {
      await file.close();
    }
    await fs.rename(temporary, path);
  } catch (error) {
    await fs.remove(temporary).catch(() => {});
    throw error;
  }
  await fs.syncDirectory(dirname(path));
}

/**
 * Reads a value that `writeSnapshotFile` has written; `undefined` for none, for a damaged one, and where
 * `wanted`, which sees it before its arrays are read, does not want it.
 */
export async function readSnapshotFile<T>(fs: FileSystem, path: string, wanted: (value: T) => Promise<boolean>): Promise<T | undefined> {
  try {
    const file = await fs.open(path, "read");
    try {
      return await readValue(file, wanted);
    } finally {
      await file.close();
    }
  } catch {
    return undefined; // It is disposable: whatever keeps it from being read, what it stands for can be read.
  }
}

async function readValue<T>(file: OpenFile, wanted: (value: T) => Promise<boolean>): Promise<T | undefined> {
  const start = await readRange(file, 0, START_BYTES);
  if (start.length < START_BYTES || !start.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const headLength = start.readUInt32LE(8);
  const size = await file.size();
  if (START_BYTES + headLength + END_BYTES > size) return undefined;
  const head = await readRange(file, START_BYTES, headLength);
  if (sum(head) !== start.readUInt32LE(12)) return undefined;
  const arrays: Kept[] = [];
  const value = JSON.parse(head.toString(), (_, member: unknown) => {
    const array = arrayOf(member);
    if (array) arrays.push(array);
    return array ?? member;
  }) as T; // Its checksum is right, so it is as this program wrote it.
  let position = START_BYTES + headLength;
  const length = arrays.reduce((total, array) => total + array.byteLength, 0);
  if (position + length + END_BYTES !== size || !(await wanted(value))) return undefined;
  let crc = sum(head, sum(start));
  for (const array of arrays) {
    const bytes = bytesOf(array);
    position = await fill(file, bytes, position);
    crc = sum(bytes, crc);
  }
  return (await readRange(file, position, END_BYTES)).readUInt32LE(0) === crc ? value : undefined;
}

async function fill(file: OpenFile, bytes: Uint8Array, position: number): Promise<number> {
  for (let done = 0; done < bytes.length; ) {
    const count = await file.read(bytes.subarray(done), position + done);
    if (count === 0) throw new Error("The file has become shorter");
    done += count;
  }
  return position + bytes.length;
}

function typeOf(value: unknown): keyof typeof TYPES | undefined {
  if (value instanceof Float64Array) return "f64";
  if (value instanceof Int32Array) return "i32";
  return value instanceof Uint8Array ? "u8" : undefined;
}

function arrayOf(value: unknown): Kept | undefined {
  if (typeof value !== "object" || value === null || !("$" in value) || !("n" in value)) return undefined;
  return new TYPES[value.$ as keyof typeof TYPES](value.n as number);
}

function bytesOf({ buffer, byteOffset, byteLength }: Kept): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
