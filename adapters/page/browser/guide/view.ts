import { fillGuide, guideValues } from "../../guide/guide_values.ts";
import type { PageContext } from "../legacy.tsx";
import { copyButton } from "../copy_button.ts";
import { documentationOf } from "../documentation.ts";
import { h } from "../dom.ts";
import { exampleKey } from "../example_key.ts";
import { failureBox } from "../failure_box.ts";
import { messagesOf } from "../messages.ts";
import { addressOf, placeOf } from "../places.ts";
import { GUIDE } from "./messages.ts";
import { proseOf } from "./prose.ts";
import { loadGuide, loadedGuide } from "./texts.ts";

/** The names of the languages of examples. */
const LANGUAGES: Readonly<Record<string, string>> = { sh: "curl", js: "JavaScript", python: "Python", json: "JSON", http: "HTTP" };
/** The section that the visitor was led to last, so that a choice that draws the guide anew does not scroll. */
let shown: string | undefined;

/** The guide, with its contents beside it. `#/guide/quota` leads to a section. */
export function view(context: PageContext): HTMLElement {
  const { language } = context.preferences;
  const { loading } = messagesOf(GUIDE, language);
  const html = loadedGuide(language);
  const root = h("div", { class: "guide" }, ...(html === undefined ? [h("p", { class: "loading" }, loading)] : guide(html, context)));
  context.signal.addEventListener("abort", () => {
    if (placeOf(location.hash).view !== "guide") shown = undefined;
  });
  if (html === undefined) void load();
  else queueMicrotask(() => leadToSection(context, root)); // the root is in the document by then
  return root;

  async function load(): Promise<void> {
    try {
      const loaded = await loadGuide(language);
      if (context.signal.aborted) return;
      root.replaceChildren(...guide(loaded, context));
      leadToSection(context, root);
    } catch (thrown) {
      if (!context.signal.aborted) root.replaceChildren(failureBox(thrown, context, () => root.replaceWith(view(context))));
    }
  }
}

function guide(html: string, context: PageContext): readonly HTMLElement[] {
  const { settings, baseUrl, preferences, place } = context;
  const text = h("article", { class: "guide-text" });
  // The only HTML that is read as such: our own, made from guide/*.md when the page was built. Values go into text nodes.
  text.innerHTML = html;
  const values = guideValues({ settings: { ...settings, documentationUrl: documentationOf(settings, baseUrl) }, baseUrl, key: exampleKey(context) }, preferences.language);
  const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text; // the walker shows texts alone
    const isCode = node.parentElement?.closest("code") != null;
    node.data = isCode ? fillGuide(node.data, values) : proseOf(node.data, values, preferences);
  }
  for (const code of text.querySelectorAll("pre")) {
    const language = code.firstElementChild?.className.replace("language-", "") ?? "";
    const bar = h("div", { class: "guide-code-bar" }, h("span", {}, LANGUAGES[language] ?? language), copyButton(() => code.textContent.trimEnd(), context));
    const block = h("div", { class: "guide-code", dir: "ltr" }, bar);
    code.replaceWith(block);
    block.append(code);
  }
  letScroll(text, context.signal);
  return [contents(text, place.id, messagesOf(GUIDE, preferences.language).contents), text];
}

/** Lets the keyboard reach what is wider than its box, and only that, as each further stop makes the way longer. */
function letScroll(text: HTMLElement, signal: AbortSignal): void {
  const boxes = text.querySelectorAll("pre, .guide-table");
  const observer = new ResizeObserver(() => {
    for (const box of boxes) {
      if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
      else box.removeAttribute("tabindex");
    }
  });
  observer.observe(text);
  signal.addEventListener("abort", () => observer.disconnect());
}

/** The contents, made from the headings. */
function contents(text: HTMLElement, current: string | undefined, title: string): HTMLElement {
  const items = [...text.querySelectorAll("h2")].map((heading) => {
    const name = heading.id.replace("guide-", "");
    // The address may be that of this section already, and then a click on it alone would do nothing.
    const link = h("a", { href: addressOf("guide", name), "aria-current": name === current && "true", onclick: () => leadTo(heading) }, heading.textContent);
    return h("li", {}, link);
  });
  return h("nav", { class: "guide-contents", "aria-label": title }, h("ol", {}, ...items));
}

/** Leads the visitor to the section of the address, once. One that is not there leaves them at the begin. */
function leadToSection({ place, preferences }: PageContext, root: HTMLElement): void {
  const wanted = place.id === undefined ? undefined : `${preferences.language}/${place.id}`;
  const heading = wanted === shown || place.id === undefined ? null : root.querySelector<HTMLElement>(`#guide-${CSS.escape(place.id)}`);
  shown = wanted;
  if (heading !== null) leadTo(heading);
}

function leadTo(heading: HTMLElement): void {
  heading.scrollIntoView();
  heading.focus({ preventScroll: true });
}
