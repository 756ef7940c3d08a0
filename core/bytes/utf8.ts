// The one global of the Web that the core uses: it does the same in every runtime, and no port could do it better.
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

const encoder = /* @__PURE__ */ new TextEncoder();

/** The bytes of a text in UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}
