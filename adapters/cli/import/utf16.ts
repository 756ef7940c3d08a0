import { readHead, startsWith } from "./source_head.ts";

const BYTE_ORDER_MARKS = [["utf-16le", [0xff, 0xfe]], ["utf-16be", [0xfe, 0xff]]] as const;

/** The text of a source as UTF-8: UTF-16 with a byte order mark, as Excel's "Unicode Text" has it, is converted. */
export async function* asUtf8(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  try {
    const { head, whole } = await readHead(iterator, 2);
    const [encoding] = BYTE_ORDER_MARKS.find(([, mark]) => startsWith(head, mark)) ?? [];
    if (encoding === undefined) {
      yield* whole;
      return;
    }
    const decoder = new TextDecoder(encoding);
    for await (const chunk of whole) yield Buffer.from(decoder.decode(chunk, { stream: true }));
    yield Buffer.from(decoder.decode());
  } finally {
    // Closes the file, also when the reader stops early.
    await iterator.return?.();
  }
}
