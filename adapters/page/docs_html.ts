// The documentation as pages for people: the reference and the guide, in both languages, readable without script.
import type { OpenApiDocument } from "../../core/openapi/mod.ts";
import { FRAME } from "./browser/header/messages.ts";
import type { Language } from "./browser/preferences.ts";
import { PATHS } from "./browser/ui/icon_paths.ts";
import { DOCS_SCRIPT, DOCS_STYLE, GUIDES, STYLE } from "./built_files.ts";
import { fillGuide, guideValues } from "./guide/guide_values.ts";
import type { GuideFacts } from "./guide/guide_values.ts";
import { ICON } from "./html.ts";
import { escapeHtml, html, trusted } from "./markup.ts";
import type { Content, Markup } from "./markup.ts";
import type { PageSettings } from "./page_settings.ts";
import { readReference } from "./reference/read_reference.ts";
import { referenceHtml } from "./reference/reference_html.ts";
import type { Part } from "./reference/reference_html.ts";

/** The pages, by their file below `/docs/`. */
const PAGES = {
  reference: { kind: "reference", language: "en", other: "reference.fa" },
  "reference.fa": { kind: "reference", language: "fa", other: "reference" },
  guide: { kind: "guide", language: "en", other: "guide.fa" },
  "guide.fa": { kind: "guide", language: "fa", other: "guide" },
} as const;

/** The name of a page. */
export type DocsPage = keyof typeof PAGES;

/** Whether there is such a page. */
export function isDocsPage(name: string): name is DocsPage {
  return Object.hasOwn(PAGES, name);
}

/** What script puts the base URL in the place of, where the server does not know its own; without script this is told. */
const BASE_URL = "BASE_URL";
const PLACEHOLDERS = {
  en: "In the examples BASE_URL stands for the address of this page up to /docs, without it, and YOUR_KEY for your key.",
  fa: "در نمونه‌ها BASE_URL یعنی نشانی همین صفحه تا پیش از ‎/docs‎ و YOUR_KEY یعنی کلید شما.",
};

/** Makes a page. All addresses are relative to `/docs/`, so that it works under a mount path. */
export function docsHtml(name: DocsPage, settings: PageSettings, document: OpenApiDocument): string {
  const { kind, language } = PAGES[name];
  const reference = readReference(document);
  const shown = { baseUrl: reference.baseUrl ?? BASE_URL, key: settings.demoKey ?? "YOUR_KEY" };
  const guide = language === "fa" ? "guide.fa" : "guide";
  const { body, parts } = kind === "reference" ? referenceHtml({ reference, assets: settings.assets, language, guide, ...shown }) : guideHtml(language, { settings, ...shown });
  return frame(name, settings, { body, parts }).source;
}

function guideHtml(language: Language, facts: GuideFacts): { readonly body: Markup; readonly parts: readonly Part[] } {
  const values = new Map([...guideValues(facts, language)].map(([name, value]) => [name, escapeHtml(value)]));
  const text = fillGuide(GUIDES[language], values);
  return {
    body: html`<article class="guide">${trusted(text)}</article>`,
    parts: [...text.matchAll(/<h2 id="(\w+)"[^>]*>(.*?)<\/h2>/g)].map(([, id, title]) => ({ id: id!, title: trusted(title!) })),
  };
}

/** What is around a page: the same header, lower end and line for made-up prices as those of the market. */
function frame(name: DocsPage, settings: PageSettings, { body, parts }: { readonly body: Content; readonly parts: readonly Part[] }): Markup {
  const { kind, language, other } = PAGES[name];
  const { application, isSample, version, demoKey, documentationUrl } = settings;
  const texts = FRAME[language];
  const service = application === "mazaneh" ? texts.mazaneh : application;
  const suffix = language === "fa" ? ".fa" : "";
  const linkTo = (view: (typeof TABS)[number], icon?: Markup): Markup => {
    const address = view === "market" ? "../docs" : view === "reference" || view === "guide" ? `${view}${suffix}` : `../docs#/${view}`;
    return html`<a href="${address}"${view === kind && html` aria-current="page"`}>${icon}${texts[view]}</a>`;
  };
  return html`<!doctype html>
<html lang="${language}" dir="${language === "fa" ? "rtl" : "ltr"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${texts[kind]} – ${service}</title>
<link rel="icon" href="${ICON}">
<link rel="alternate" hreflang="${language === "fa" ? "en" : "fa"}" href="${other}">
<link rel="stylesheet" href="${STYLE}">
<link rel="stylesheet" href="${DOCS_STYLE}">
<script type="module" src="${DOCS_SCRIPT}" blocking="render"></script>
</head>
<body data-settings="${JSON.stringify({ demoKey, documentationUrl })}">
<div id="page">
<a class="skip" href="#main">${texts.skip}</a>
<header class="top">
<a class="name" href="../docs">${SIGN}<bdi>${service}</bdi></a>
<nav class="views" aria-label="${texts.nav}"><ul>${TABS.filter((view) => view !== "convert").map((view) => html`<li>${linkTo(view)}</li>`)}</ul></nav>
<a id="other-language" class="docs-language" href="${other}" lang="${language === "fa" ? "en" : "fa"}">${texts.otherLanguage}</a>
</header>
${isSample && html`<aside class="sample" aria-label="${texts.sampleLabel}"><strong>${texts.sampleMark}</strong> <span>${texts.sample}</span></aside>\n`}<div class="docs">
<nav class="contents" aria-label="${texts[kind]}"><ul>
${parts.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>\n`)}</ul></nav>
<main id="main" tabindex="-1">
<p class="placeholders small">${PLACEHOLDERS[language]}</p>
${body}</main>
</div>
<footer class="bottom"><a href="../openapi.json">OpenAPI</a> <a href="../docs.md">Markdown</a> ${version !== undefined && html`<bdi dir="ltr">mazaneh ${version}</bdi>`}</footer>
<nav class="tabs" aria-label="${texts.nav}">${TABS.map((view) => linkTo(view, iconOf(view)))}</nav>
</div>
</body>
</html>
`;
}

/** The views of the whole page, as on a phone at its lower end. */
const TABS = ["market", "coins", "convert", "reference", "guide"] as const;

/** The letter ظ, as in the header of the market. */
const SIGN = html`<svg class="sign" viewBox="0 0 26 26" width="26" height="26" aria-hidden="true"><rect width="26" height="26" rx="6"/>
<path d="M9.5 5v12.5H5M9.5 17.5c2-4 5-6.5 8-6.5 2.2 0 3.5 1.2 3.5 3.2 0 2.2-1.8 3.3-4.5 3.3h-7M15.5 6.5h.01"/></svg>`;

function iconOf(view: (typeof TABS)[number]): Markup {
  return html`<svg class="icon" viewBox="0 0 18 18" width="18" height="18" aria-hidden="true"><path d="${PATHS[view]}"/></svg>`;
}
