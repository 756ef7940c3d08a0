// The only Web global that the core uses. It does the same in every runtime, so a port would gain nothing.
declare const TextEncoder: new () => { encode(text: string): Uint8Array<ArrayBuffer> };

const encoder = /* @__PURE__ */ new TextEncoder();

/** A text in UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}
