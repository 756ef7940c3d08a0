import { PRELOADS, SCRIPT, STYLE, VIEWS_STYLE } from "./built_files.ts";
import { Markup, html } from "./markup.ts";
import type { PageSettings } from "./page_settings.ts";

/** What a link to a place of the page tells before it is opened. */
export interface Preview {
  readonly title: string;
  readonly description: string;
}

/**
 * The HTML of the page. The script draws what is in it. All addresses are relative, so that it works under a mount path.
 *
 * @param root From the address of this HTML to the root: `""`, or `../../`.
 */
export function pageHtml(settings: PageSettings, root = "", preview?: Preview): string {
  const metas = preview && [html`<meta property="og:title" content="${preview.title}">\n`, html`<meta property="og:description" content="${preview.description}">\n`];
  // Without `<`, so that no text in it can end the script: `</script>` and `<!--` need one.
  const json = new Markup(JSON.stringify(settings).replaceAll("<", "\\u003c"));
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${preview?.title ?? settings.application}</title>
${metas}<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="${root}docs/${STYLE}">
<link rel="stylesheet" href="${root}docs/${VIEWS_STYLE}" media="print">
${PRELOADS.map((name) => html`<link rel="modulepreload" href="${root}docs/${name}">\n`)}${
  // What the script asks first comes at the same time as the script.
  settings.isPublic && html`<link rel="preload" as="fetch" crossorigin href="${root}docs/market">\n`
}<script type="module" src="${root}docs/${SCRIPT}"></script>
</head>
<body data-root="${root || "./"}">
<noscript><p>This page needs JavaScript. The same is there to read as <a href="${root}docs.md">text</a> and as an <a href="${root}openapi.json">OpenAPI document</a>.</p></noscript>
<script type="application/json" id="settings">${json}</script>
</body>
</html>
`.source;
}

/** The sign of the house, the letter ظ, as an address that holds the picture itself. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 26 26">
<rect width="26" height="26" rx="6" fill="#2147b0"/>
<path d="M9.5 5v12.5H5M9.5 17.5c2-4 5-6.5 8-6.5 2.2 0 3.5 1.2 3.5 3.2 0 2.2-1.8 3.3-4.5 3.3h-7M15.5 6.5h.01" fill="none" stroke="#fff" stroke-width="2"/>
</svg>`)}`;
