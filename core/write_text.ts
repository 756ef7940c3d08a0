// Writers of texts into bytes: see write.ts for the rule they keep.

/** Writes a text of ASCII characters, one byte each. Throws RangeError for any other character. */
export function writeAscii(to: Uint8Array, at: number, text: string): number {
  demandRoom(to, at, text.length);
  let seen = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    seen |= unit;
    to[at + i] = unit;
  }
  if (seen > 127) throw new RangeError(`Cannot write a text as ASCII as all its characters must be: received "${text}"`);
  return at + text.length;
}

/** Writes a text as UTF-8, as `TextEncoder` does; three bytes for each of its UTF-16 units are always enough. */
export function writeText(to: Uint8Array, at: number, text: string): number {
  demandRoom(to, at, utf8Length(text));
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      to[at++] = unit;
      continue;
    }
    const point = codePoint(text, i);
    if (point < 0x800) to[at++] = 0xc0 | (point >> 6);
    else {
      if (point < 0x10000) to[at++] = 0xe0 | (point >> 12);
      else {
        to[at++] = 0xf0 | (point >> 18);
        to[at++] = 0x80 | ((point >> 12) & 63);
        i++;
      }
      to[at++] = 0x80 | ((point >> 6) & 63);
    }
    to[at++] = 0x80 | (point & 63);
  }
  return at;
}

/** The bytes of a text in UTF-8. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) length++;
    else {
      length += 2;
      // A pair of surrogates: two units, four bytes.
      if (codePoint(text, i) >= 0x10000) i++;
    }
  }
  return length;
}

function codePoint(text: string, i: number): number {
  const point = text.codePointAt(i)!;
  return point >= 0xd800 && point <= 0xdfff ? 0xfffd : point;
}

/** Throws RangeError when so many bytes do not fit at a place. */
export function demandRoom(to: Uint8Array, at: number, bytes: number): void {
  if (at + bytes > to.length) throw new RangeError(`Cannot write as ${bytes} bytes are wanted: received room for "${to.length - at}"`);
}
