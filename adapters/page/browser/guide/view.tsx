import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { fillGuide, guideValues } from "../../guide/guide_values.ts";
import type { GuideValues } from "../../guide/guide_values.ts";
import { usePage } from "../context.ts";
import type { Preferences } from "../context.ts";
import { documentationOf } from "../documentation.ts";
import { exampleKey } from "../example_key.ts";
import { addressOf } from "../places.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { FailureBox } from "../ui/failure_box.tsx";
import { GUIDE } from "./messages.ts";
import { proseOf } from "./prose.ts";
import { loadGuide, loadedGuide } from "./texts.ts";

/** The names of the languages of examples. */
const LANGUAGES: Readonly<Record<string, string>> = { sh: "curl", js: "JavaScript", python: "Python", json: "JSON", http: "HTTP" };

/** The guide, with its contents beside it. `#/guide/quota` leads to a section. */
export function View() {
  const { language } = usePage().preferences;
  const [, redraw] = useState({});
  const [thrown, setThrown] = useState<{ readonly error: unknown }>();
  const html = loadedGuide(language);

  function load(): void {
    setThrown(undefined);
    loadGuide(language).then(() => redraw({}), (error: unknown) => setThrown({ error }));
  }
  useEffect(() => {
    if (html === undefined) load();
  }, [language]);
  if (html !== undefined) return <Guide key={language} html={html} />;
  return <div class="guide">{thrown === undefined ? <p class="loading">{GUIDE[language].loading}</p> : <FailureBox thrown={thrown.error} retry={load} />}</div>;
}

function Guide({ html }: { readonly html: string }) {
  const { settings, baseUrl, preferences, place, key } = usePage();
  const text = useRef<HTMLElement>(null);
  const blocks = useMemo(() => {
    const told = { settings: { ...settings, documentationUrl: documentationOf(settings, baseUrl) }, baseUrl, key: exampleKey({ key, settings }) };
    return blocksOf(html, guideValues(told, preferences.language), preferences);
  }, [html, preferences, key]);
  useLayoutEffect(() => letScroll(text.current!), [blocks]);
  useEffect(() => {
    if (place.id !== undefined) leadTo(place.id); // after the page has led to the begin of the view; one that is not there leaves the visitor at the begin
  }, [place.id]);
  return (
    <div class="guide">
      <nav class="guide-contents" aria-label={GUIDE[preferences.language].contents}>
        <ol>
          {blocks.filter(({ tag }) => tag === "H2").map(({ id, text: title }) => {
            const name = id.replace("guide-", "");
            // The address may be that of this section already, and then a click on it alone would do nothing.
            return <li key={id}><a href={addressOf("guide", name)} aria-current={name === place.id ? "true" : undefined} onClick={() => leadTo(name)}>{title}</a></li>;
          })}
        </ol>
      </nav>
      <article class="guide-text" ref={text}>{blocks.map((block, at) => <BlockOf key={at} block={block} />)}</article>
    </div>
  );
}

/** A paragraph, heading, list, table or example of the guide. */
interface Block {
  /** In capitals. */
  readonly tag: string;
  readonly id: string;
  readonly className: string;
  /** Its content as HTML: our own, made from guide/*.md when the page was built, with values in texts alone. */
  readonly html: string;
  readonly text: string;
  /** Of an example. */
  readonly language: string;
}

/** Reads the guide: values go into text nodes, so that none is read as HTML. */
function blocksOf(html: string, values: GuideValues, preferences: Preferences): readonly Block[] {
  const { content } = Object.assign(document.createElement("template"), { innerHTML: html });
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode as Text; // the walker shows texts alone
    node.data = node.parentElement?.closest("code") ? fillGuide(node.data, values) : proseOf(node.data, values, preferences);
  }
  return [...content.children].map(({ tagName: tag, id, className, innerHTML, textContent, firstElementChild }) => {
    return { tag, id, className, html: innerHTML, text: textContent, language: firstElementChild?.className.replace("language-", "") ?? "" };
  });
}

function BlockOf({ block: { tag, id, className, html, text, language } }: { readonly block: Block }) {
  const inner = { dangerouslySetInnerHTML: { __html: html } };
  if (tag === "PRE") {
    return (
      <div class="guide-code" dir="ltr">
        <div class="guide-code-bar"><span>{LANGUAGES[language] ?? language}</span><CopyButton text={() => text.trimEnd()} /></div>
        <pre {...inner} />
      </div>
    );
  }
  const Tag = tag.toLowerCase() as "p";
  return <Tag id={id || undefined} class={className || undefined} tabIndex={id === "" ? undefined : -1} {...inner} />;
}

/** Lets the keyboard reach what is wider than its box, and only that, as each further stop makes the way longer. */
function letScroll(text: HTMLElement): () => void {
  const observer = new ResizeObserver(() => {
    for (const box of text.querySelectorAll("pre, .guide-table")) {
      if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
      else box.removeAttribute("tabindex");
    }
  });
  observer.observe(text);
  return () => observer.disconnect();
}

function leadTo(name: string): void {
  const heading = document.getElementById(`guide-${name}`);
  heading?.scrollIntoView();
  heading?.focus({ preventScroll: true });
}
