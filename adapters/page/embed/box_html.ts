// A box as an HTML page for frames. The box has no script, and uses the page's font files.
import { html, Markup } from "../html_markup.ts";
import { fontFile } from "../page_html.ts";
import { BOX, clockOf, drawingStyle, plotOf, signOf, TRIANGLES } from "./box_drawing.ts";
import { type BoxPrice, LINE, type PriceBox } from "./price_box.ts";

const FONTS = { en: "Inter,system-ui,sans-serif", fa: "Vazirmatn,Inter,Tahoma,sans-serif" };
/** Allows both colour schemes: otherwise, browsers fill the box's corners if the page around it has another scheme. */
const STYLE = `
:root{color-scheme:light dark}
*{margin:0;box-sizing:border-box}
a{position:relative;display:block;width:${BOX.width}px;max-width:100%;height:${BOX.height}px;overflow:hidden;padding:10px 14px;
border:1px solid var(--line);border-radius:10px;background:var(--surface);color:var(--ink);font-size:12.5px;line-height:22px;
text-decoration:none;white-space:nowrap}
a:focus-visible{outline:2px solid var(--accent);outline-offset:-3px}
.row,.change{display:flex;align-items:center;gap:6px;height:22px}
.price{align-items:baseline;height:36px;line-height:36px}
.name{flex:1;overflow:hidden;text-overflow:ellipsis;font-size:14px;font-weight:550}
b{font-weight:600}
.soft,.stale b{color:var(--ink-soft)}.stale b{font-weight:400}.old,.sample{color:var(--warn)}
.sample{margin-inline-start:auto;padding:0 6px;border:1px solid;border-radius:4px;font-weight:600;line-height:16px}
.spark{position:absolute;top:45px;inset-inline-end:22px;overflow:visible}
`;

/** Makes the page. Addresses are relative, so that the box also works below a mount path. */
export function boxHtml({ language, theme, application, name, link, content }: PriceBox): string {
  const faces = faceOf("inter") + (language === "fa" ? faceOf("vazirmatn") : "");
  const style = `${drawingStyle(theme)}${STYLE}${faces}body{font-family:${FONTS[language]}}`;
  return html`<!doctype html>
<html lang="${language}" dir="${language === "fa" ? "rtl" : "ltr"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${name} – ${application}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main><a href="${link}" target="_blank" rel="noopener">
<div class="row"><h1 class="name"><bdi>${name}</bdi></h1><bdi class="soft">${application}</bdi>${signOf()}</div>
${typeof content === "string" ? html`<span class="soft">${content}</span>` : priceHtml(content)}
</a></main>
</body>
</html>
`.source;
}

function priceHtml(content: BoxPrice): Markup {
  const { price, size, unit, direction, change, time, age, line, sample } = content;
  const changed =
    change &&
    html`<span class="change ${direction}"><svg width="8" height="9" aria-hidden="true"><path class="solid" d="${TRIANGLES[direction]}"/></svg><bdi dir="ltr">${change.percent}</bdi></span>
${change.since === undefined ? html`<bdi class="soft" dir="ltr">${change.difference}</bdi>` : html`<span class="soft">${change.since}</span>`}`;
  return html`<span class="row price${age !== undefined && " stale"}"><b dir="ltr" style="font-size:${size}px">${price}</b><span class="soft">${unit}</span></span>
<span class="row">${changed}</span>
<span class="row">${age === undefined ? html`<span class="soft">${time}</span>` : html`${clockOf()}<span class="old">${age}</span>`}
${sample !== undefined && html`<span class="sample">${sample}</span>`}</span>
${line.length > 0 && html`<svg class="spark" width="${LINE.width}" height="${LINE.height}" aria-hidden="true">${plotOf(content)}</svg>`}`;
}

function faceOf(name: "inter" | "vazirmatn"): string {
  const range = name === "vazirmatn" ? "unicode-range:U+0600-06FF,U+200C-200E;" : "";
  return `@font-face{font-family:${name};font-weight:400 650;font-display:swap;${range}src:url(../${fontFile(name)}) format("woff2")}\n`;
}
