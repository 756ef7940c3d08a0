// The documentation as pages for people: the reference and the guide, in both languages, readable without script.
import type { OpenApiDocument } from "../../core/openapi/mod.ts";
import { TEXTS } from "./browser/built_texts.ts";
import { TABS } from "./browser/page_addresses.ts";
import type { Language } from "./browser/preferences.ts";
import { PATHS, SIGN } from "./browser/ui/icon_paths.ts";
import { DOCS_SCRIPT, DOCS_STYLE, GUIDES, STYLE } from "./built_files.ts";
import { fillGuide, type GuideFacts, guideValues } from "./guide/guide_values.ts";
import { escapeHtml, html, Markup } from "./html_markup.ts";
import { fontLink, ICON } from "./page_html.ts";
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

/** Whether there is such a page. */
export function isDocsPage(name: string): name is DocsPage {
  return Object.hasOwn(PAGES, name);
}

/** What script puts the base URL in the place of, where the server does not know its own; without script the page says what it stands for. */
const BASE_URL = "BASE_URL";

/** Makes a page with header, lower end and line for made-up prices as the market has them. Its addresses are relative to `/docs/`, for mount paths. */
export function docsHtml(name: DocsPage, settings: PageSettings, document: OpenApiDocument): string {
  const [kind, language] = PAGES[name];
  const [suffix, otherLanguage, other] =
    language === "en" ? (["", "fa", `${kind}.fa`] as const) : ([".fa", "en", kind] as const);
  const reference = readReference(document);
  const shown = { baseUrl: reference.baseUrl ?? BASE_URL, key: settings.demoKey ?? "YOUR_KEY" };
  const body =
    kind === "guide"
      ? guideHtml(language, { settings, ...shown })
      : referenceHtml({ reference, assets: settings.assets, language, guide: `guide${suffix}`, ...shown });
  const { application, isSample, version, demoKey, documentationUrl } = settings;
  const texts = TEXTS[language];
  const service = application === "mazaneh" ? texts.mazaneh : application;
  const iconOf = (name: keyof typeof PATHS): Markup =>
    html`<svg class="icon" viewBox="0 0 18 18" width="18" height="18" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
  const linkTo = (view: (typeof TABS)[number], icon?: Markup): Markup => {
    let address = `../docs#/${view}`;
    if (view === "market") address = "../docs";
    if (view === "reference" || view === "guide") address = `${view}${suffix}`;
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
${language === "fa" && fontLink("vazirmatn")}${fontLink("inter")}<script type="module" src="${DOCS_SCRIPT}" blocking="render"></script>
</head>
<body data-settings="${JSON.stringify({ demoKey, documentationUrl })}">
<a class="skip" href="#main">${texts.skip}</a>
<header class="top">
<a class="name" href="../docs">
<svg class="sign" viewBox="0 0 26 26" width="26" height="26" aria-hidden="true"><rect width="26" height="26" rx="6"/><path d="${SIGN}"/></svg>
<bdi>${service}</bdi></a>
<nav class="views" aria-label="${texts.nav}"><ul>${TABS.filter((view) => view !== "convert").map((view) => html`<li>${linkTo(view)}</li>`)}</ul></nav>
<a id="other-language" class="docs-language" href="${other}" lang="${otherLanguage}">${texts.otherLanguage}</a>
<button id="theme" type="button" class="quiet" aria-label="${texts.theme}" hidden>${iconOf("moon")}${iconOf("sun")}</button>
</header>
${isSample && html`<aside class="sample" aria-label="${texts.sampleLabel}"><strong>${texts.sampleMark}</strong> <span>${texts.sample}</span></aside>\n`}<div class="docs">
<nav class="contents" aria-label="${texts[kind]}"><ul>
${contentsOf(body)}</ul></nav>
<main id="main" tabindex="-1">
<noscript class="placeholders"><p class="small">${texts.placeholders}</p></noscript>
${body}</main>
</div>
<footer class="small bottom"><a href="../openapi.json">OpenAPI</a> <a href="../docs.md">Markdown</a>
${version !== undefined && html`<bdi dir="ltr">mazaneh ${version}</bdi>`}</footer>
<nav class="tabs" aria-label="${texts.nav}">${TABS.map((view) => linkTo(view, iconOf(view)))}</nav>
</body>
</html>
`.source;
}

function guideHtml(language: Language, facts: GuideFacts): Markup {
  const values = new Map([...guideValues(facts, language)].map(([name, value]) => [name, escapeHtml(value)]));
  return html`<article class="guide">${new Markup(fillGuide(GUIDES[language], values))}</article>`;
}

/** The contents of a text: chapters whose title has a name, or sections with one that begin with their title. */
function contentsOf({ source }: Markup): readonly Markup[] {
  const parts = source.matchAll(/<(?:section|h2)[^>]* id="([^"]+)"[^>]*>(?:\s|<div[^>]*>|<h2[^>]*>)*([^]*?)<\/h2>/g);
  return [...parts].map(([, id, title]) => new Markup(`<li><a href="#${id}">${title}</a></li>\n`));
}
