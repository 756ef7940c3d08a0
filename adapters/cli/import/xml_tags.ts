import { SourceFault } from "./source_head.ts";

/** A tag of XML, and the text before it. */
export interface Tag {
  /** Without prefix; a closing one begins with a slash: `row`, `/row`. */
  readonly name: string;
  /** The text of its attributes, for `attributeOf`. */
  readonly attributes: string;
  readonly before: string;
}

const MAX_TAG = 1_048_576;
const TAG = /^(\/?)(?:[^\s:/]+:)?([^\s/]+)/;
const ENTITY = /&(?:#(\d+)|#x([\da-f]+)|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * The tags of XML as office programs write it, chunk by chunk. Knows no document type, so no entity beyond the five of XML
 * is replaced. An empty element is one tag. Throws a fault for a tag or text of more than a million letters.
 */
export async function* readTags(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Tag[]> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    const tags: Tag[] = [];
    let at = 0;
    for (let open = rest.indexOf("<"), close = rest.indexOf(">", open); open !== -1 && close !== -1; ) {
      const inner = rest.slice(open + 1, close);
      const [, slash = "", name = ""] = TAG.exec(inner) ?? [];
      tags.push({ name: slash + name, attributes: inner, before: rest.slice(at, open) });
      at = close + 1;
      open = rest.indexOf("<", at);
      close = open === -1 ? -1 : rest.indexOf(">", open);
    }
    rest = rest.slice(at);
    if (rest.length > MAX_TAG) throw new SourceFault("its workbook is damaged: a tag does not end");
    yield tags;
  }
}

/** Makes the reader of an attribute. */
export function attribute(name: string): (tag: Tag) => string | undefined {
  const pattern = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`);
  return ({ attributes }) => {
    const match = pattern.exec(attributes);
    return match ? plainText(match[1] ?? match[2]!) : undefined;
  };
}

/** Text of XML without its entities. */
export function plainText(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(ENTITY, (_, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()]!;
    const point = decimal === undefined ? parseInt(hex!, 16) : +decimal;
    return point <= 0x10_ffff ? String.fromCodePoint(point) : "\ufffd";
  });
}
