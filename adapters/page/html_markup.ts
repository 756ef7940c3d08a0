import type { Language } from "./browser/data/preferences.ts";
import { LANGUAGES } from "./reference/examples.ts";

const LEGEND = { en: "Language of the example", fa: "زبان نمونه" };
const NAMES: Readonly<Record<string, string>> = { ...LANGUAGES, json: "JSON", http: "HTTP" };

/** A piece of HTML. `html` escapes every other text; `new Markup(text)` marks a text as trusted: it is not escaped. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** The values in a template. Texts are escaped, lists are joined, `undefined` and `false` are left out. */
export type Content = Markup | string | number | undefined | false | readonly Content[];

/** Makes HTML: html`<p title="${text}">${text}</p>`. Attributes need their quotes. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(parts.map((part, at) => part + (at < contents.length ? sourceOf(contents[at]) : "")).join(""));
}

/** A text as HTML. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

function sourceOf(content: Content): string {
  if (content === undefined || content === false) return "";
  if (content instanceof Markup) return content.source;
  return typeof content === "object" ? content.map(sourceOf).join("") : escapeHtml(String(content));
}

/** Code on a dark background. Radio buttons switch between languages. `id` must be unique on the page. */
export function codeBox(id: string, codes: Readonly<Record<string, Markup | string>>, language: Language): Markup {
  const entries = Object.entries(codes);
  const [[only] = ["sh"]] = entries;
  const panes = entries.map(([name, code]) => html`<pre class="${name}" dir="ltr"><code>${code}</code></pre>\n`);
  if (entries.length === 1)
    return html`<div class="code"><span class="code-name">${NAMES[only]}</span>\n${panes}</div>\n`;
  const tabs = entries.map(([name], at) => {
    const input = `${id}--${name}`;
    const isChosen = at === 0 && html` checked`;
    return html`<input type="radio" class="${name}" name="${id}-language" id="${input}" value="${name}"${isChosen}><label for="${input}">${NAMES[name]}</label>\n`;
  });
  return html`<fieldset class="code" dir="ltr"><legend class="visually-hidden">${LEGEND[language]}</legend>\n${tabs}${panes}</fieldset>\n`;
}
