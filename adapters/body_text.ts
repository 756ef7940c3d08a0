import { err, ok } from "../core/internal.ts";
import type { BodyFailure, Result } from "../core/mod.ts";

/** The text of a body that has come as a whole, as `ApiRequest.text` has it. */
export async function bodyText(bytes: Uint8Array, limit: number, coding?: "gzip"): Promise<Result<string, BodyFailure>> {
  if (coding === undefined) return decoded([bytes]);
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    const packed = new Response(bytes).body!;
    const reader = packed.pipeThrough(new DecompressionStream("gzip")).getReader();
    for (;;) {
      const { value } = await reader.read();
      if (!value) return decoded(parts);
      length += value.length;
      parts.push(value);
      if (length <= limit) continue;
      reader.cancel().catch(() => undefined);
      return err("TOO_LARGE");
    }
  } catch {
    return err("NOT_GZIP");
  }
}

function decoded(parts: readonly Uint8Array[]): Result<string, BodyFailure> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    return ok(parts.map((part) => decoder.decode(part, { stream: true })).join("") + decoder.decode());
  } catch {
    return err("NOT_UTF8");
  }
}
