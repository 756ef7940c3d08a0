import { err, ok } from "../../core/internal.ts";
import type { BodyFailure, Result } from "../../core/mod.ts";

/** The bytes of a body, or the reason why it could not be read. */
export type BodyBytes = Result<Uint8Array<ArrayBuffer>, BodyFailure>;

/** Copies chunks into one growing buffer, because a list of chunks could need an object for each byte. */
export class GrowingBuffer {
  bytes = new Uint8Array(1_024);
  length = 0;

  add(chunk: Uint8Array): void {
    const { bytes, length } = this;
    this.length += chunk.length;
    if (this.length > bytes.length) {
      this.bytes = new Uint8Array(Math.max(this.length, 2 * bytes.length));
      this.bytes.set(bytes.subarray(0, length));
    }
    this.bytes.set(chunk, length);
  }

  /** The bytes so far; not a copy. */
  filled(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }
}

/** The text of a complete body, for `ApiRequest.text`. */
export async function bodyText(body: BodyBytes, limit: number, coding?: "gzip"): Promise<Result<string, BodyFailure>> {
  let plain = body;
  if (body.ok && coding) {
    const unpacked = new Blob([body.value]).stream().pipeThrough(new DecompressionStream(coding));
    plain = await readStream(unpacked, limit, "NOT_GZIP");
  }
  if (!plain.ok) return plain;
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(plain.value));
  } catch {
    return err("NOT_UTF8");
  }
}

/** Reads a stream of at most `limit` bytes. If the stream fails, the failure is `broken`. */
export async function readStream(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  limit: number,
  broken: BodyFailure,
): Promise<BodyBytes> {
  const reader = stream.getReader();
  const body = new GrowingBuffer();
  try {
    for (;;) {
      const { value } = await reader.read();
      if (!value) return ok(body.filled());
      body.add(value);
      if (body.length <= limit) continue;
      // `cancel` is not awaited, because it may never settle if the client sends nothing.
      reader.cancel().catch(() => undefined);
      return err("TOO_LARGE");
    }
  } catch {
    return err(broken);
  }
}
