// Makes the page's HTML of a guide when the page is built; not a part of any program that serves.
import { Marked } from "marked";
import type { GuideLanguage } from "./error_advice.ts";
import { withErrors } from "./guide_text.ts";

/**
 * A guide as HTML: `## Title {#name}` has the id `guide-name`, a link to `#name` leads to that section of the page, and
 * a table stands in a box that can be scrolled.
 *
 * @throws Error for HTML in the source, which the page would show as it is.
 */
export function renderGuide(guide: string, language: GuideLanguage): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, text, depth }) {
        const [, name] = / \{#(\w+)\}$/.exec(text) ?? [];
        const title = this.parser.parseInline(tokens).replace(/ \{#\w+\}$/, "");
        return name === undefined ? `<h${depth}>${title}</h${depth}>\n` : `<h${depth} id="guide-${name}" tabindex="-1">${title}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const address = href === "#reference" ? "#/reference" : href.replace(/^#/, "#/guide/");
        return `<a href="${address}">${this.parser.parseInline(tokens)}</a>`;
      },
      html({ text }) {
        throw new Error(`Cannot render the guide as it holds HTML: received "${text}"`);
      },
    },
  });
  const html = marked.parse(withErrors(guide, language), { async: false });
  return html.replaceAll("<table>", '<div class="guide-table"><table>').replaceAll("</table>", "</table></div>");
}
