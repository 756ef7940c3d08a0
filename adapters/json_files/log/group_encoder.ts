import { crc32, writeAscii, writeWhole } from "../../../core/internal.ts";
import { writeSeal } from "./line.ts";
import type { LogLines } from "./log_lines.ts";

/** What all lines of a group share. */
export interface GroupFrame {
  /** Sequence number of the first line. */
  readonly first: number;
  readonly generation: number;
  /** Initial value of the checksums. */
  readonly seed: number;
}

/** An append that waits for its group to be written. */
export interface PendingAppend {
  readonly lines: LogLines;
  /** Called when the lines are on the device, with the sequence number of the first. */
  readonly resolve: (first: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Appends that are written and synced together. */
export interface Group {
  readonly appends: readonly PendingAppend[];
  /** Number of lines of them all. */
  readonly count: number;
  /** Sequence number of the first line. */
  readonly first: number;
  readonly bytes: Buffer;
}

const LINE_FEED = 10;
/** Larger buffers, which few groups need, are not kept. */
const KEPT_BYTES = 1 << 20;
const FIRST_BUFFER_BYTES = 1 << 14;

/**
 * Makes the function that encodes a group. Its bytes are valid until the next but one call, so that a group can be
 * encoded while the one before it is written. An append that cannot be encoded is rejected alone, and left out.
 */
export function createGroupEncoder(generation: number, seed: number): (appends: readonly PendingAppend[], first: number) => Group {
  const buffers = [Buffer.allocUnsafe(FIRST_BUFFER_BYTES), Buffer.allocUnsafe(FIRST_BUFFER_BYTES)];

  function bufferFor(room: number): Buffer {
    let buffer = buffers.shift()!;
    if (room > buffer.length) buffer = Buffer.allocUnsafe(Math.max(room, 2 * buffer.length));
    buffers.push(buffer.length > KEPT_BYTES ? Buffer.allocUnsafe(FIRST_BUFFER_BYTES) : buffer);
    return buffer;
  }

  return (pending, first) => {
    const frame = { first, generation, seed };
    const buffer = bufferFor(pending.reduce((sum, { lines }) => sum + lines.bytes, 0));
    const encode = (appends: readonly PendingAppend[]): Group => {
      const parts = appends.map(({ lines }) => lines);
      const count = parts.reduce((sum, lines) => sum + lines.count, 0);
      return { appends, count, first, bytes: buffer.subarray(0, encodeGroup(buffer, parts, frame)) };
    };
    try {
      return encode(pending);
    } catch {
      return encode(pending.filter((append) => canEncode(append, frame)));
    }
  };
}

/** Whether an append can be encoded. Rejects it if not. */
function canEncode({ lines, reject }: PendingAppend, frame: GroupFrame): boolean {
  try {
    encodeGroup(Buffer.allocUnsafe(lines.bytes), [lines], frame);
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

/**
 * Writes the lines of a group into `to`: each is `{"s":…,"g":…,` with its members, `,"e":1` on the last line, and
 * the seal. Written as bytes, as building texts takes three times as long. Returns the number of bytes.
 *
 * @throws RangeError when there is too little room.
 */
export function encodeGroup(to: Buffer, parts: readonly LogLines[], { first, generation, seed }: GroupFrame): number {
  const afterSequence = `,"g":${generation},`;
  let sequence = first;
  let at = 0;
  parts.forEach((lines, part) => {
    const last = part === parts.length - 1 ? lines.count - 1 : -1;
    for (let i = 0; i < lines.count; i++) {
      const start = at;
      at = writeAscii(to, at, '{"s":');
      at = writeWhole(to, at, sequence++);
      at = writeAscii(to, at, afterSequence);
      at = lines.write(to, at, i);
      if (i === last) at = writeAscii(to, at, ',"e":1');
      at = writeSeal(to, at, crc32(to, seed, { from: start, to: at }));
      to[at++] = LINE_FEED;
    }
  });
  if (at > to.length) throw new RangeError(`Cannot append as the lines take ${at} bytes: received room for "${to.length}"`);
  return at;
}
