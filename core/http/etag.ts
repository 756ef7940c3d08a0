import { fieldElements } from "./headers.ts";
import type { RequestFields } from "./messages.ts";
import type { EntityTag } from "./route.ts";

/**
 * A strong entity tag: `"<stem>"`, or `"<stem>-<rendering>"`. The stem identifies the state of the data;
 * what follows a dash (a rendering, a content coding) identifies one of the byte forms of that state.
 */
export function formatTag({ stem, rendering }: EntityTag): string {
  return rendering === undefined ? `"${stem}"` : `"${stem}-${rendering}"`;
}

const TAG = /^(?:W\/)?("([\x21\x23-\x2c\x2e-\x7e]*)(?:-[\x21\x23-\x7e]*)?")$/;

/**
 * The tag of `If-None-Match` that shows that the client holds the current state: one with the stem of `current`,
 * or `current` itself for `*`. `undefined` when the client holds another state, or none.
 */
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
