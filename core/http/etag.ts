import { fieldElements } from "./headers.ts";
import type { RequestFields } from "./messages.ts";

const TAG = /^(?:W\/)?("([\x21\x23-\x2c\x2e-\x7e]*)(?:-[\x21\x23-\x7e]*)?")$/;

/** The quoted tag in `If-None-Match` with the same stem as `current`, if there is one. For `*`, returns `current`. */
export function heldTag(headers: RequestFields, current: string): string | undefined {
  if (typeof headers.get("if-none-match") !== "string") return undefined;
  const [, , currentStem] = TAG.exec(current) ?? [];
  for (const candidate of fieldElements(headers, "if-none-match")) {
    if (candidate === "*") return current;
    const [, tag, stem] = TAG.exec(candidate) ?? [];
    if (stem !== undefined && stem === currentStem) return tag;
  }
  return undefined;
}
