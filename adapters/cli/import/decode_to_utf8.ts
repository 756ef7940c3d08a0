import { isAscii } from "node:buffer";
import type { SourceNotes } from "../../intake/tables/plan_columns.ts";
import { attempt } from "../command_failure.ts";
import { resumed, startsWith, withHead } from "./read_source_head.ts";

const BYTE_ORDER_MARKS = [
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const;
/** How many bytes are read to recognize UTF-16 without a byte order mark. */
const LOOKED_AT = 512;
const KNOWN_LETTERS = /^[\p{Script=Latin}\p{Script=Arabic}\p{Mn}\p{N}\p{P}\p{S}\p{Cf}\s]*$/u;

/** Converts a source in UTF-16 (Excel's "Unicode Text") or Windows-1256 (Persian CSV files of Windows) to UTF-8. */
export function asUtf8(chunks: AsyncIterable<Uint8Array>, notes: SourceNotes): AsyncGenerator<Uint8Array> {
  return withHead(chunks, 2, (head, whole) => {
    const [marked] = BYTE_ORDER_MARKS.find(([, mark]) => startsWith(head, mark)) ?? [];
    const encoding = marked ?? utf16Of(head.subarray(0, LOOKED_AT));
    return encoding === undefined ? withoutMark(whole, notes) : decoded(whole, encoding);
  });
}

/** Decodes text without a byte order mark. If its first letters beyond ASCII are UTF-8, all of it is read as UTF-8. */
async function* withoutMark(chunks: AsyncIterable<Uint8Array>, notes: SourceNotes): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
    if (isAscii(next.value)) {
      yield next.value;
      continue;
    }
    // A chunk may end in the middle of a letter.
    return yield* withHead(resumed(next.value, iterator), next.value.length + 1, (head, whole) => {
      const text = attempt(() => new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true }));
      if (text !== undefined || head.includes(0)) return whole;
      notes.form = "text in Windows-1256";
      return decoded(whole, "windows-1256");
    });
  }
}

/**
 * The kind of UTF-16, if it is UTF-16. Each digit then has one zero byte: always the first byte of two, or always the
 * second. Other data with zero bytes would be decoded to strange letters.
 */
function utf16Of(head: Uint8Array): string | undefined {
  const zeros = [0, 1].map((side) => head.some((byte, at) => byte === 0 && at % 2 === side));
  if (zeros[0] === zeros[1]) return undefined;
  const encoding = zeros[1] ? "utf-16le" : "utf-16be";
  const text = new TextDecoder(encoding).decode(head.subarray(0, head.length & ~1));
  return KNOWN_LETTERS.test(text) ? encoding : undefined;
}

async function* decoded(chunks: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<Uint8Array> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}
