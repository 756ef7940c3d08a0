/** A piece of HTML. Only `html` and `trusted` make one, so that a text of anybody else is escaped. */
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

/** HTML of our own that was made before. */
export function trusted(source: string): Markup {
  return new Markup(source);
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
