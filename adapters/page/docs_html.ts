// The documentation as HTML: reference and guide, in both languages, readable without script.
import type { OpenApiDocument } from "../../core/openapi/mod.ts";
import type { Language } from "./browser/data/preferences.ts";
import { TEXTS as CONTROLS } from "./browser/texts/built_docs_controls.ts";
import { TEXTS } from "./browser/texts/built_page.ts";
import { DOCS_FRAMES, DOCS_SCRIPT, DOCS_STYLE, GUIDES, ICON, SAMPLE_LINES, STYLE } from "./built_files.ts";
import { fillGuide, type GuideFacts, guideValues } from "./guide/guide_values.ts";
import { escapeHtml, html, Markup } from "./html_markup.ts";
import { fontLink } from "./page_html.ts";
import type { PageSettings } from "./page_settings.ts";
import { readReference } from "./reference/read_reference.ts";
import { referenceHtml } from "./reference/reference_html.ts";

const PAGES = {
  reference: ["reference", "en"],
  "reference.fa": ["reference", "fa"],
  guide: ["guide", "en"],
  "guide.fa": ["guide", "fa"],
} as const;

/** The name of a page: its file below `/docs/`. */
export type DocsPage = keyof typeof PAGES;

/** Whether a page has this name. */
export function isDocsPage(name: string): name is DocsPage {
  return Object.hasOwn(PAGES, name);
}

/** Stands for an unknown base URL. The page's script replaces this text; without script, the page explains it. */
const BASE_URL = "BASE_URL";

/** Makes a page in the same frame as the app. Addresses are relative to `/docs/`, so that mount paths work. */
export function docsHtml(name: DocsPage, settings: PageSettings, document: OpenApiDocument): string {
  const [kind, language] = PAGES[name];
  const other = language === "en" ? (`${kind}.fa` as const) : kind;
  const reference = readReference(document);
  const shown = { baseUrl: reference.baseUrl ?? BASE_URL, key: settings.demoKey ?? "YOUR_KEY" };
  const guide = language === "en" ? "guide" : "guide.fa";
  const body =
    kind === "guide"
      ? guideHtml(language, { settings, ...shown })
      : referenceHtml({ reference, assets: settings.assets, language, guide, ...shown });
  const { application, isSample, version, demoKey, documentationUrl } = settings;
  const service = application === "mazaneh" ? TEXTS[language].mazaneh : application;
  const slots: Readonly<Record<string, string>> = {
    service: escapeHtml(service),
    sampleLine: isSample ? SAMPLE_LINES[language] : "",
    version: version === undefined ? "" : html`<bdi dir="ltr">mazaneh ${version}</bdi>`.source,
    controls: controlsOf(kind, language).source,
    contents: contentsOf(body),
    body: body.source,
  };
  const frame = new Markup(DOCS_FRAMES[name]!.replace(/\{\{(\w+)\}\}/g, (_, slot: string) => slots[slot]!));
  return html`<!doctype html>
<html lang="${language}" dir="${language === "fa" ? "rtl" : "ltr"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${TEXTS[language][kind]} – ${service}</title>
<link rel="icon" href="${ICON}">
<link rel="alternate" hreflang="${PAGES[other][1]}" href="${other}">
<link rel="stylesheet" href="${STYLE}">
<link rel="stylesheet" href="${DOCS_STYLE}">
${language === "fa" && fontLink("vazirmatn")}${fontLink("inter")}<script type="module" src="${DOCS_SCRIPT}" blocking="render"></script>
</head>
<body data-settings="${JSON.stringify({ demoKey, documentationUrl })}">
${frame}
</body>
</html>
`.source;
}

function guideHtml(language: Language, facts: GuideFacts): Markup {
  const values = new Map([...guideValues(facts, language)].map(([name, value]) => [name, escapeHtml(value)]));
  return html`<article class="guide">${new Markup(fillGuide(GUIDES[language], values))}</article>`;
}

/** The controls above the table of contents, which are hidden until the page's script uses them. */
function controlsOf(kind: "reference" | "guide", language: Language): Markup {
  const { filter, key, keep, keySource } = CONTROLS[language];
  const keyBox = html`<div class="key-box" hidden><label for="key" class="row">${key}</label><input type="password" id="key" autocomplete="off" dir="ltr" placeholder="mz_live_…"><label class="row check"><input type="checkbox" id="key-keep" autocomplete="off">${keep}</label><a class="key-link" href="#">${keySource}</a></div>`;
  return html`<input type="search" id="filter" placeholder="${filter}" aria-label="${filter}" autocomplete="off" hidden>${kind === "reference" && keyBox}`;
}

/** The table of contents: titles that have an id, and sections that have an id and begin with their title. */
function contentsOf({ source }: Markup): string {
  const parts = source.matchAll(/<(?:section|h2)[^>]* id="([^"]+)"[^>]*>(?:\s|<div[^>]*>|<h2[^>]*>)*([^]*?)<\/h2>/g);
  return [...parts].map(([, id, title]) => `<li><a href="#${id}">${title}</a></li>\n`).join("");
}
