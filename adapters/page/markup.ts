/** A piece of HTML. A text that is none is escaped; of our own that was made before, `new Markup(text)` makes one. */
export class Markup {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

/** What may stand in a template: texts are escaped, lists are joined, `undefined` and `false` are nothing. */
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
