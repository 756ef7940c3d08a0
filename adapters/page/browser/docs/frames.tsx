// The frame of the documentation. The build renders the app's components as HTML; the server fills in the {{slots}}.
import type { ComponentChildren, VNode } from "preact";
import { escapeHtml } from "../../html_markup.ts";
import { docsAddress, type TABS } from "../data/addresses.ts";
import type { Language } from "../data/preferences.ts";
import { Frame, SampleLine } from "../parts/frame.tsx";
import { SIGN } from "../parts/icon_paths.ts";
import { icon } from "../parts/icons.tsx";
import { TEXTS } from "../texts/built_page.ts";

/** The frames by page, e.g. `guide.fa`. */
export function docsFrames(): Readonly<Record<string, string>> {
  const frameOf = (kind: DocsFrameProps["kind"], language: Language) =>
    [nameOf(kind, language), htmlOf(<DocsFrame kind={kind} language={language} />)] as const;
  return Object.fromEntries(
    (["en", "fa"] as const).flatMap((language) => [frameOf("reference", language), frameOf("guide", language)]),
  );
}

/** The banners for made-up prices, by language. */
export function sampleLines(): Readonly<Record<Language, string>> {
  return { en: htmlOf(<SampleLine language="en" />), fa: htmlOf(<SampleLine language="fa" />) };
}

/** The logo as a data URL. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26"><rect width="26" height="26" rx="6" fill="#2147b0"/>
<path d="${SIGN}" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round"/></svg>`)}`;

type DocsFrameProps = { readonly kind: "reference" | "guide"; readonly language: Language };

function DocsFrame({ kind, language }: DocsFrameProps) {
  const texts = TEXTS[language];
  const otherLanguage = language === "en" ? "fa" : "en";
  const hrefOf = (to: (typeof TABS)[number]): string => {
    if (to === "reference" || to === "guide") return nameOf(to, language);
    return to === "market" ? "../docs" : `../docs#/${to}`;
  };
  const tools = (
    <>
      <a id="other-language" class="docs-language" href={nameOf(kind, otherLanguage)} lang={otherLanguage}>
        {texts.otherLanguage}
      </a>
      <button id="theme" class="quiet" aria-label={texts.theme} hidden>
        {icon("moon")}
        {icon("sun")}
      </button>
    </>
  );
  return (
    <Frame
      language={language}
      view={kind}
      service="{{service}}"
      root="../"
      hrefOf={hrefOf}
      tools={tools}
      sampleLine="{{sampleLine}}"
      version="{{version}}"
    >
      <div class="docs">
        <nav class="contents" aria-label={texts[kind]}>
          {"{{controls}}"}
          <ul>{"{{contents}}"}</ul>
        </nav>
        <main id="main" tabIndex={-1}>
          <noscript class="placeholders">
            <p class="small">{texts.placeholders}</p>
          </noscript>
          {"{{body}}"}
        </main>
      </div>
    </Frame>
  );
}

function nameOf(kind: DocsFrameProps["kind"], language: Language): string {
  return docsAddress(kind, language).replace("docs/", "");
}

/** Renders components without state as HTML. */
function htmlOf(node: ComponentChildren): string {
  if (node === undefined || node === null || typeof node === "boolean") return "";
  if (Array.isArray(node)) return node.map(htmlOf).join("");
  if (typeof node !== "object") return escapeHtml(String(node));
  const { type, props } = node as VNode<Record<string, unknown>>;
  // A cast, because a frame has no class components.
  if (typeof type === "function") return htmlOf((type as (props: object) => ComponentChildren)(props));
  const { children, ...attributes } = props;
  const written = Object.entries(attributes).flatMap(([name, value]) => {
    if (value === undefined || value === false || typeof value === "function") return [];
    return value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  });
  return `<${type}${written.join("")}>${htmlOf(children as ComponentChildren)}</${type}>`;
}
