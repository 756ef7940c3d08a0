/** The reason why a source cannot be read. In a message, the reason follows the name of the file. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
}

const ALWAYS_UNPACKED = 64 * 1_048_576;

/** Refuses a file that unpacks to more than 64 MB plus `most` times its size: reading it could take hours. */
export function checkUnpacked(unpacked: number, packed: number, most: number): void {
  if (unpacked > ALWAYS_UNPACKED + most * packed)
    throw new SourceFault(
      `its zipped data unpacks to more than ${most} times its size: unpack it first, or save its table as CSV`,
    );
}

/**
 * Reads a source with `read`, which gets its first bytes, at least `wanted` of them unless the source is shorter, and the
 * source from its beginning. Closes the source even if the reader stops early.
 */
export async function* withHead(
  source: AsyncIterable<Uint8Array>,
  wanted: number,
  read: (head: Uint8Array, whole: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    let head: Uint8Array = new Uint8Array(0);
    while (head.length < wanted) {
      const { done, value } = await iterator.next();
      if (done) break;
      head = head.length === 0 ? value : Buffer.concat([head, value]);
    }
    yield* read(head, resumed(head, iterator));
  } finally {
    await iterator.return?.();
  }
}

/** Whether `bytes` begins with these bytes. */
export function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

/** The whole source: the bytes that were already read, then the rest. */
export async function* resumed(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
