import type { PageContext } from "../legacy.tsx";
import { copyButton } from "../copy_button.ts";
import { h } from "../dom.ts";
import { messagesOf } from "../messages.ts";
import { linesOf } from "./json_tokens.ts";
import type { Line } from "./json_tokens.ts";
import { MESSAGES } from "./messages.ts";

/** More lines than this are shown on demand, as thousands of coloured pieces make a page slow. */
const MOST_LINES = 120;
/** And past this many they are shown without colours, at once. */
const MOST_COLOURED = 5_000;
/** A line without an end, e.g. of an HTML page, is cut too. */
const MOST_SIGNS = 20_000;

type BoxContext = Pick<PageContext, "preferences" | "format" | "announce">;

/** A text as code with a button that copies it. `label` names the box to screen readers. */
export function codeBox(text: string, label: string, context: BoxContext): HTMLElement {
  return boxOf([h("code", {}, text)], text, label, context);
}

/** A body: JSON with colours, anything else as it is. A long one is cut, with a button that shows the rest. */
export function jsonBox(text: string, label: string, context: BoxContext): HTMLElement {
  const { preferences, format } = context;
  const texts = messagesOf(MESSAGES, preferences.language);
  const lines = linesOf(text);
  const shown = h("code", {}, ...lines.slice(0, MOST_LINES).flatMap(lineOf));
  const isLong = lines.length > MOST_LINES || (lines.length === 1 && text.length > MOST_SIGNS);
  if (lines.length === 1 && text.length > MOST_SIGNS) shown.textContent = `${text.slice(0, MOST_SIGNS)}…`;
  const box = boxOf([shown], text, label, context);
  if (!isLong) return box;
  const more = h("button", { type: "button", class: "ref-more", onclick: showAll }, texts.showAll(format.number(lines.length)));
  box.append(more);

  function showAll(): void {
    shown.replaceChildren(...lines.slice(0, MOST_COLOURED).flatMap(lineOf), lines.slice(MOST_COLOURED).map(textOf).join(""));
    more.remove();
    box.querySelector("pre")?.focus();
  }
  return box;
}

function lineOf({ depth, tokens }: Line): readonly (Node | string)[] {
  return ["  ".repeat(depth), ...tokens.map(({ kind, text }) => (kind === "punctuation" || kind === "plain" ? text : h("span", { class: `json-${kind}` }, text))), "\n"];
}

function textOf({ depth, tokens }: Line): string {
  return `${"  ".repeat(depth)}${tokens.map((token) => token.text).join("")}\n`;
}

function boxOf(content: readonly Node[], text: string, label: string, context: BoxContext): HTMLElement {
  return h(
    "div",
    { class: "ref-code" },
    h("div", { class: "ref-code-head" }, h("span", { class: "small" }, label), copyButton(() => text, context, { subject: label, class: "ref-copy" })),
    // It scrolls, so that the keyboard has to reach it.
    h("pre", { tabindex: 0, role: "region", "aria-label": label, dir: "ltr" }, ...content),
  );
}
