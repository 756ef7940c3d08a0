import { formatCount } from "../text_table.ts";
import { SourceFault } from "./read_source_head.ts";

/** An XML element: its attributes as text, and the text between its tags. */
export interface XmlElement {
  readonly attributes: string;
  readonly content: string;
}

const MAX_ELEMENT = 1_048_576;
const MAX_ELEMENTS = 65_536; // Excel has at most 65,490 styles.
const LONGEST_NAME = 64;
const ENTITY = /&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot|apos));/gi;
const [CDATA, CDATA_END, COMMENT, COMMENT_END] = ["<![CDATA[", "]]>", "<!--", "-->"];
/** Matches comments; also CDATA sections, because they may contain text that looks like a comment. */
const COMMENTS = /<!\[CDATA\[[^]*?(?:\]\]>|$)|<!--[^]*?(?:-->|$)/g;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Makes a reader of all elements of one name, whatever their prefix. The elements must not be nested. `in` reads a
 * text. `read` reads a file in parts, and throws a fault for an element of more than a million characters.
 */
export function elements(name: string, most = MAX_ELEMENTS) {
  const tag = `(?:\\w+:)?${name}`;
  const begin = new RegExp(`<${tag}[\\s/>]`);
  // The content ends at the next tag of this name, so that a search for a missing end tag does not read the whole file.
  const whole = new RegExp(`<${tag}(\\s[^<>]*?)?(?:/>|>([^<]*(?:<(?!/?${tag}[\\s/>])[^<]*)*?)</${tag}\\s*>)`, "g");
  const toElement = ([, attributes = "", content = ""]: RegExpExecArray, at: number): XmlElement => {
    if (at === most)
      throw new SourceFault(`its workbook has more than ${formatCount(most)} elements "${name}" in one part`);
    return { attributes, content };
  };

  async function* read(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly XmlElement[]> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of chunks) {
      const { text, open: comment } = withoutComments(rest + decoder.decode(chunk, { stream: true }));
      rest = text;
      const found = [...rest.matchAll(whole)];
      const last = found.at(-1);
      if (last) rest = rest.slice(last.index + last[0].length);
      const open = rest.search(begin);
      rest = rest.slice(open === -1 ? -LONGEST_NAME : open) + comment;
      if (rest.length > MAX_ELEMENT) throw new SourceFault("its workbook is damaged: an element does not end");
      yield found.map(toElement);
    }
  }

  return { in: (text: string): readonly XmlElement[] => Array.from(text.matchAll(whole), toElement), read };
}

/** Makes a function that reads an attribute. */
export function attribute(name: string): (element: XmlElement) => string | undefined {
  const pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  return ({ attributes }) => {
    const match = pattern.exec(attributes);
    return match ? plainText(match[1] ?? match[2]!) : undefined;
  };
}

/** A text without its comments. `open` is the unfinished comment at the end of the text, if any. */
export function withoutComments(xml: string): { readonly text: string; readonly open: string } {
  let open = "";
  if (!xml.includes(COMMENT)) return { text: xml, open };
  const text = xml.replace(COMMENTS, (found) => {
    if (found.startsWith(CDATA)) return found;
    if (!found.endsWith(COMMENT_END)) open = found;
    return "";
  });
  return { text, open };
}

/** Decodes the predefined entities of XML, not entities of a document type. CDATA sections stay as they are. */
export function plainText(text: string): string {
  const [first = "", ...sections] = text.split(CDATA);
  const plain = sections.map((section) => {
    const end = section.indexOf(CDATA_END);
    return end === -1 ? section : section.slice(0, end) + withoutEntities(section.slice(end + CDATA_END.length));
  });
  return withoutEntities(first) + plain.join("");
}

function withoutEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (_, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()]!;
    const point = decimal === undefined ? parseInt(hex!, 16) : +decimal;
    return point <= 0x10_ffff ? String.fromCodePoint(point) : "\ufffd";
  });
}
