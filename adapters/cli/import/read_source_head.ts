/** Why a source cannot be read; the message is the end of a sentence that begins with the file. */
export class SourceFault extends Error {
  override readonly name = "SourceFault";
  /** The option that decides what to read, if one does. */
  readonly option: string | undefined;

  constructor(message: string, option?: string) {
    super(message);
    this.option = option;
  }
}

/** What is told of a file, besides its table: `sheet "Prices"`. It is known when the first bytes are. */
export interface SourceNotes {
  form?: string;
  /** The name of the sheet that is read. */
  sheet?: string;
}

/** The first bytes of a source, and the whole of it, which the first bytes begin. */
export interface SourceHead {
  readonly head: Uint8Array;
  readonly whole: AsyncIterable<Uint8Array>;
}

/** Reads the first bytes, at least as many as wanted; fewer only if the source has fewer. */
export async function readHead(iterator: AsyncIterator<Uint8Array>, wanted: number): Promise<SourceHead> {
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < wanted) {
    const { done, value } = await iterator.next();
    if (done) break;
    head = head.length === 0 ? value : Buffer.concat([head, value]);
  }
  return { head, whole: resumed(head, iterator) };
}

/** Whether bytes begin with these. */
export function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, at) => bytes[at] === byte);
}

/** A source again, whose first bytes were read. */
export async function* resumed(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}
