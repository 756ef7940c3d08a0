import { FILES, ICON, MORE_STYLE, PRELOADS, SCRIPT, STYLE, VIEWS_STYLE } from "./built_files.ts";
import { html, Markup } from "./html_markup.ts";
import type { PageSettings } from "./page_settings.ts";

/** The title and description that other apps show in the preview of a link to the page. */
export type Preview = Readonly<Record<"title" | "description", string>>;

/** The HTML of the page. The script draws the content. `root` is the path to the root: `""`, or `../../`. */
export function pageHtml(settings: PageSettings, root = "", preview?: Preview): string {
  const metas = preview && [
    html`<meta property="og:title" content="${preview.title}">\n`,
    html`<meta property="og:description" content="${preview.description}">\n`,
  ];
  // `<` is escaped, so that no text in the JSON can end the script element: both `</script>` and `<!--` contain `<`.
  const json = new Markup(JSON.stringify(settings).replaceAll("<", "\\u003c"));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<title>${preview?.title ?? settings.application}</title>
${metas}<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${root}docs/${STYLE}">
<link rel="stylesheet" href="${root}docs/${VIEWS_STYLE}" media="print" data-more="${root}docs/${MORE_STYLE}">
${PRELOADS.map((name) => html`<link rel="modulepreload" href="${root}docs/${name}">\n`)}${
  // The script's first request is preloaded in parallel with the script.
  settings.isPublic && html`<link rel="preload" as="fetch" crossorigin href="${root}docs/market">\n`
}<script type="module" src="${root}docs/${SCRIPT}"></script>
${fontLink("inter", `${root}docs/`)}</head>
<body data-root="${root || "./"}">
<noscript><p>This page needs JavaScript. The <a href="${root}docs/reference">reference</a> and the <a href="${root}docs/guide">guide</a> need none.</p></noscript>
<script type="application/json" id="settings">${json}</script>
</body>
</html>
`.source;
}

/** Preloads a font with low priority, before text needs it. `folder` is the folder of the page's files. */
export function fontLink(name: "inter" | "vazirmatn", folder = ""): Markup {
  return html`<link rel="preload" as="font" fetchpriority="low" crossorigin href="${folder}${fontFile(name)}">\n`;
}

/** The name of a font's file. */
export function fontFile(name: "inter" | "vazirmatn"): string {
  return Object.keys(FILES).find((file) => file.startsWith(name))!;
}
