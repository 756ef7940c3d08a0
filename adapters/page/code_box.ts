// Code on its dark ground: one text, or the same in several languages, of which radio buttons show one without any script.
import type { Language } from "./browser/preferences.ts";
import { html } from "./markup.ts";
import type { Markup } from "./markup.ts";
import { LANGUAGES } from "./reference/examples.ts";

const LEGEND = { en: "Language of the example", fa: "زبان نمونه" };
/** Other languages of blocks in the guide. */
const OTHERS: Readonly<Record<string, string>> = { json: "JSON", http: "HTTP" };

/** Codes by language. `id` is unique in the page. */
export function codeBox(id: string, codes: Readonly<Record<string, Markup | string>>, language: Language): Markup {
  const entries = Object.entries(codes);
  const nameOf = (name: string): string => (LANGUAGES as Readonly<Record<string, string>>)[name] ?? OTHERS[name] ?? name;
  const [[only] = ["sh"]] = entries;
  const panes = entries.map(([name, code]) => html`<pre class="${name}" dir="ltr"><code>${code}</code></pre>\n`);
  if (entries.length === 1) return html`<div class="code"><span class="code-name">${nameOf(only)}</span>\n${panes}</div>\n`;
  const tabs = entries.map(([name], at) => {
    const input = `${id}--${name}`;
    const isChosen = at === 0 && html` checked`;
    return html`<input type="radio" class="${name}" name="${id}-language" id="${input}" value="${name}"${isChosen}><label for="${input}">${nameOf(name)}</label>\n`;
  });
  return html`<fieldset class="code" dir="ltr"><legend class="visually-hidden">${LEGEND[language]}</legend>\n${tabs}${panes}</fieldset>\n`;
}
