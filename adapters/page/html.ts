import { PRELOADS, SCRIPT, STYLE, VIEWS_STYLE } from "./built_files.ts";
import type { PageSettings } from "./page_settings.ts";

/**
 * The HTML of the page. The script draws what is in it. All addresses are relative, so that it works under a mount path.
 */
export function pageHtml(settings: PageSettings): string {
  const preloads = PRELOADS.map((name) => `<link rel="modulepreload" href="docs/${name}">\n`).join("");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(settings.application)}</title>
<link rel="icon" href="${ICON}">
<link rel="stylesheet" href="docs/${STYLE}">
${preloads}<script type="module" src="docs/${SCRIPT}"></script>
</head>
<body data-style="docs/${VIEWS_STYLE}">
<noscript><p>This page needs JavaScript. The same is there to read as <a href="docs.md">text</a> and as an <a href="openapi.json">OpenAPI document</a>.</p></noscript>
<script type="application/json" id="settings">${jsonInHtml(settings)}</script>
</body>
</html>
`;
}

/** A line that rises, as an address that holds the picture itself. */
export const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0b6b57"/><path d="M2.5 11.5 6 7.5l2.5 2 5-5.5" fill="none" stroke="#fff" stroke-width="1.8"/></svg>',
)}`;

/** JSON without `<`, so that no text in it can end the script: `</script>` and `<!--` need one. */
function jsonInHtml(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
