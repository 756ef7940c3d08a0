import { err, ok } from "../core/internal.ts";
import type { BodyFailure, Result } from "../core/mod.ts";

/** The parts of a body, or why there are none. */
export type Parts = Result<readonly Uint8Array<ArrayBuffer>[], BodyFailure>;

/** The text of a body that has come as a whole, as `ApiRequest.text` has it. */
export async function bodyText(body: Parts, limit: number, coding?: "gzip"): Promise<Result<string, BodyFailure>> {
  const parts = body.ok && coding ? await readParts(new Blob([...body.value]).stream().pipeThrough(new DecompressionStream(coding)), limit, "NOT_GZIP") : body;
  if (!parts.ok) return parts;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    return ok(parts.value.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode());
  } catch {
    return err("NOT_UTF8");
  }
}

/** Reads a stream of at most `limit` bytes. What it fails with is told as `broken`. */
export async function readParts(stream: ReadableStream<Uint8Array<ArrayBuffer>>, limit: number, broken: BodyFailure): Promise<Parts> {
  const reader = stream.getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for (;;) {
      const { value } = await reader.read();
      if (!value) return ok(parts);
      length += value.length;
      parts.push(value);
      if (length <= limit) continue;
      // Not awaited, as it may never settle while the client sends nothing.
      reader.cancel().catch(() => undefined);
      return err("TOO_LARGE");
    }
  } catch {
    return err(broken);
  }
}
