// Renders a guide to HTML when the page is built. The server does not import this module.
import { Marked } from "marked";
import type { Language } from "../browser/data/preferences.ts";
import { codeBox, Markup } from "../html_markup.ts";

/** Consecutive code blocks in the example languages become one box, because they show the same program. */
const PROGRAMS =
  /(?:<pre><code class="language-(?:sh|js|python|php)">[^<]*<\/code><\/pre>\s*)+|<pre><code class="language-\w+">[^<]*<\/code><\/pre>/g;

/**
 * A guide as HTML: `## Title {#name}` has the id `name`, a link to `reference` leads to the reference in the same
 * language, and `{{changes}}` is the newest part of the list of changes.
 *
 * @throws Error if the source contains HTML, because the page would include it unescaped.
 */
export function renderGuide(guide: string, language: Language, changelog: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, text, depth }) {
        const [, name] = / \{#(\w+)\}$/.exec(text) ?? [];
        const title = this.parser.parseInline(tokens).replace(/ \{#\w+\}$/, "");
        const id = name === undefined ? "" : ` id="${name}" tabindex="-1"`;
        return `<h${depth}${id}>${title}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const [page, hash = ""] = href.split(/(?=#)/);
        let address = href.startsWith("#") ? href : `../${href}`;
        if (page === "reference") address = `reference${language === "fa" ? ".fa" : ""}${hash}`;
        return `<a href="${address}">${this.parser.parseInline(tokens)}</a>`;
      },
      html({ text }) {
        throw new Error(`Cannot render the guide because it contains HTML: received "${text}"`);
      },
    },
  });
  let boxes = 0;
  const changes = `<details class="changes" lang="en" dir="ltr"><summary>Changelog</summary>\n${newestOf(changelog)}</details>`;
  return marked
    .parse(guide, { async: false })
    .replaceAll("<table>", '<div class="table"><table>')
    .replaceAll("</table>", "</table></div>")
    .replace(PROGRAMS, (blocks) => codeBox(`example${boxes++}`, Object.fromEntries(codesIn(blocks)), language).source)
    .replace("<p>{{changes}}</p>", () => changes);
}

function codesIn(blocks: string) {
  const codes = [...blocks.matchAll(/class="language-(\w+)">([^<]*)/g)];
  return codes.map(([, language, code]) => [language!, new Markup(code!.trimEnd())] as const);
}

/** The newest version of a list of changes as HTML. Links become plain text, because they lead to source files. */
function newestOf(changelog: string): string {
  const [, newest = ""] = changelog.split(/^## /m);
  const marked = new Marked({
    renderer: {
      link({ tokens }) {
        return this.parser.parseInline(tokens);
      },
    },
  });
  return marked.parse(`## ${newest}`.replace(/^##/gm, "###").replace(/^### \[(.*?)\]/, "### $1"), { async: false });
}
