// The only Web global that the core uses. `TextEncoder` is the same in all runtimes, so it needs no port.
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

const encoder = /* @__PURE__ */ new TextEncoder();

/** A text in UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}
