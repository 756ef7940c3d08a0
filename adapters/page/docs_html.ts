// The documentation as pages for people: the reference and the guide, in both languages, readable without script.
import type { OpenApiDocument } from "../../core/openapi/mod.ts";
import { PAGE } from "./browser/messages.ts";
import type { Language } from "./browser/preferences.ts";
import { textsIn } from "./browser/texts.ts";
import { PATHS } from "./browser/ui/icon_paths.ts";
import { DOCS_SCRIPT, DOCS_STYLE, GUIDES, STYLE } from "./built_files.ts";
import { fillGuide, guideValues } from "./guide/guide_values.ts";
import type { GuideFacts } from "./guide/guide_values.ts";
import { ICON } from "./html.ts";
import { Markup, escapeHtml, html } from "./markup.ts";
import type { Content } from "./markup.ts";
import type { PageSettings } from "./page_settings.ts";
import { readReference } from "./reference/read_reference.ts";
import { referenceHtml } from "./reference/reference_html.ts";
import type { Part } from "./reference/reference_html.ts";

const PAGES = { reference: ["reference", "en"], "reference.fa": ["reference", "fa"], guide: ["guide", "en"], "guide.fa": ["guide", "fa"] } as const;

/** The name of a page: its file below `/docs/`. */
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
  const [kind, language] = PAGES[name];
  const reference = readReference(document);
  const shown = { baseUrl: reference.baseUrl ?? BASE_URL, key: settings.demoKey ?? "YOUR_KEY" };
  const guide = language === "fa" ? "guide.fa" : "guide";
  const content = kind === "guide" ? guideHtml(language, { settings, ...shown }) : referenceHtml({ reference, assets: settings.assets, language, guide, ...shown });
  return frame(name, settings, content).source;
}

function guideHtml(language: Language, facts: GuideFacts): { readonly body: Markup; readonly parts: readonly Part[] } {
  const values = new Map([...guideValues(facts, language)].map(([name, value]) => [name, escapeHtml(value)]));
  const text = fillGuide(GUIDES[language], values);
  return {
    body: html`<article class="guide">${new Markup(text)}</article>`,
    parts: [...text.matchAll(/<h2 id="(\w+)"[^>]*>(.*?)<\/h2>/g)].map(([, id, title]) => ({ id: id!, title: new Markup(title!) })),
  };
}

/** What is around a page: the same header, lower end and line for made-up prices as those of the market. */
function frame(name: DocsPage, settings: PageSettings, { body, parts }: { readonly body: Content; readonly parts: readonly Part[] }): Markup {
  const [kind, language] = PAGES[name];
  const [suffix, otherLanguage, other] = language === "en" ? ["", "fa", `${kind}.fa`] as const : [".fa", "en", kind] as const;
  const { application, isSample, version, demoKey, documentationUrl } = settings;
  const texts = textsIn(PAGE, language);
  const service = application === "mazaneh" ? texts.mazaneh : application;
  const iconOf = (view: (typeof TABS)[number]): Markup => html`<svg class="icon" viewBox="0 0 18 18" width="18" height="18" aria-hidden="true"><path d="${PATHS[view]}"/></svg>`;
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
<link rel="alternate" hreflang="${otherLanguage}" href="${other}">
<link rel="stylesheet" href="${STYLE}">
<link rel="stylesheet" href="${DOCS_STYLE}">
<script type="module" src="${DOCS_SCRIPT}" blocking="render"></script>
</head>
<body data-settings="${JSON.stringify({ demoKey, documentationUrl })}">
<div id="page">
<a class="skip" href="#main">${texts.skip}</a>
<header class="top">
<a class="name" href="../docs"><img class="sign" src="${ICON}" width="26" height="26" alt=""><bdi>${service}</bdi></a>
<nav class="views" aria-label="${texts.nav}"><ul>${TABS.filter((view) => view !== "convert").map((view) => html`<li>${linkTo(view)}</li>`)}</ul></nav>
<a id="other-language" class="docs-language" href="${other}" lang="${otherLanguage}">${texts.otherLanguage}</a>
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
