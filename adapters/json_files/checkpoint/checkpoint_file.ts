import { dirname } from "node:path";
import * as zlib from "node:zlib";
import { crc32 } from "../../../core/internal.ts";
import { readAt, writeAll } from "../fs.ts";
import type { FileSystem, OpenFile } from "../fs.ts";
import { temporaryName } from "../replace.ts";

// The file of a value with typed arrays in it: 8 bytes that name the format, length and checksum of the JSON that
// follows, in which `{"$":type,"n":length}` stands for each array, then the arrays' bytes in the same order, and a
// checksum of everything before. Numbers are in this machine's byte order, which the JSON has to name.

const MAGIC = Buffer.from("mzsnap1\n");
const START_BYTES = 16;
const END_BYTES = 4;
const TYPES = { f64: Float64Array, i32: Int32Array, u8: Uint8Array } as const;
type TypedArray = Float64Array | Int32Array | Uint8Array;

/** For large arrays, the runtime's own checksum is several times as fast, where it has one. */
const fastCrc32 = (zlib as Partial<typeof zlib>).crc32 ?? crc32;

function checksum(bytes: Uint8Array, before = 0): number {
  // For no bytes, zlib returns 0 and not the checksum before.
  return bytes.length === 0 ? before : fastCrc32(bytes, before);
}

/** Replaces the file at `path` by one with a value: a reader finds the old value or the new one, complete. */
export async function writeCheckpointFile(fs: FileSystem, path: string, value: object): Promise<void> {
  const arrays: TypedArray[] = [];
  const text = JSON.stringify(value, (_, member: unknown) => {
    const type = typeOf(member);
    return type === undefined ? member : { $: type, n: arrays[arrays.push(member as TypedArray) - 1]!.length };
  });
  const head = Buffer.from(text);
  const start = Buffer.alloc(START_BYTES);
  MAGIC.copy(start);
  start.writeUInt32LE(head.length, 8);
  start.writeUInt32LE(checksum(head), 12);
  const temporary = temporaryName(path);
  const file = await fs.open(temporary, "create");
  try {
    try {
      let crc = 0;
      for (const bytes of [start, head, ...arrays.map(bytesOf)]) {
        crc = checksum(bytes, crc);
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
 * Reads a value that `writeCheckpointFile` has written; `undefined` where there is none, where it is damaged, and
 * where `accepts` refuses it, which receives it before its arrays are read.
 */
export async function readCheckpointFile<T>(fs: FileSystem, path: string, accepts: (value: T) => Promise<boolean>): Promise<T | undefined> {
  try {
    const file = await fs.open(path, "read");
    try {
      return await readValue(file, accepts);
    } finally {
      await file.close();
    }
  } catch {
    return undefined; // Whatever the failure, the log itself can be read instead.
  }
}

async function readValue<T>(file: OpenFile, accepts: (value: T) => Promise<boolean>): Promise<T | undefined> {
  const start = await readAt(file, 0, START_BYTES);
  if (start.length < START_BYTES || !start.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  const headLength = start.readUInt32LE(8);
  const size = await file.size();
  if (START_BYTES + headLength + END_BYTES > size) return undefined;
  const head = await readAt(file, START_BYTES, headLength);
  if (checksum(head) !== start.readUInt32LE(12)) return undefined;
  const arrays: TypedArray[] = [];
  const value = JSON.parse(head.toString(), (_, member: unknown) => {
    const array = arrayOf(member);
    if (array) arrays.push(array);
    return array ?? member;
  }) as T; // Its checksum is right, so it is as this program wrote it.
  let position = START_BYTES + headLength;
  const length = arrays.reduce((total, array) => total + array.byteLength, 0);
  if (position + length + END_BYTES !== size || !(await accepts(value))) return undefined;
  let crc = checksum(head, checksum(start));
  for (const array of arrays) {
    const bytes = bytesOf(array);
    position = await fill(file, bytes, position);
    crc = checksum(bytes, crc);
  }
  return (await readAt(file, position, END_BYTES)).readUInt32LE(0) === crc ? value : undefined;
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

function arrayOf(value: unknown): TypedArray | undefined {
  if (typeof value !== "object" || value === null || !("$" in value) || !("n" in value)) return undefined;
  return new TYPES[value.$ as keyof typeof TYPES](value.n as number);
}

function bytesOf({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
