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

/** Reads at least `wanted` bytes, or all bytes of a shorter source. `whole` is the source from its beginning. */
export async function readHead(
  iterator: AsyncIterator<Uint8Array>,
  wanted: number,
): Promise<{ readonly head: Uint8Array; readonly whole: AsyncIterable<Uint8Array> }> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < wanted) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return { head, whole: resumed(head, iterator) };
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
