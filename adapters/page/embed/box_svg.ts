// A box as a picture, for places that do not allow frames. The picture uses the fonts of the reader's system.
import { html, Markup } from "../html_markup.ts";
import { BOX, clockOf, drawingStyle, plotOf, signOf, TRIANGLES } from "./box_drawing.ts";
import { type BoxPrice, LINE, type PriceBox } from "./price_box.ts";

const EDGE = 15;
/** The maximum number of characters of a name. */
const NAME_SIGNS = 32;
/** Characters that XML does not allow. */
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]/gu;
const STYLE = `
text{fill:var(--ink);font:12.5px system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Noto Sans Arabic",Tahoma,sans-serif}
.box{fill:var(--surface);stroke:var(--line)}.name{font-size:14px;font-weight:600}
.price{font-weight:600}.soft,.stale{fill:var(--ink-soft)}.stale{font-weight:400}.old{fill:var(--warn)}text.solid{fill:currentColor}
`;

/** Makes the picture. The picture shows the day instead of an age, because image proxies cache pictures for hours. */
export function boxSvg({ language, theme, application, name, content }: PriceBox): string {
  const { width, height, sign } = BOX;
  const places = placesFrom(language === "fa");
  const shown =
    typeof content === "string"
      ? [content]
      : [`${content.price} ${content.unit}`, content.time, ...(content.sample ? [content.sample] : [])];
  const label = [name, ...shown, application].join(", ");
  const signs = [...name];
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" lang="${language}" direction="${language === "fa" ? "rtl" : "ltr"}" aria-label="${label}">
<style>${new Markup(drawingStyle(theme) + STYLE)}</style>
<rect class="box" x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="10"/>
<text class="name" x="${places.x(0)}" y="28">${signs.length > NAME_SIGNS ? `${signs.slice(0, NAME_SIGNS - 1).join("")}…` : name}</text>
<g transform="translate(${places.left(width - 2 * EDGE - sign, sign)} 14)">${signOf()}</g>
${typeof content === "string" ? html`<text class="soft" x="${places.x(0)}" y="58">${content}</text>` : priceSvg(content, places)}
</svg>
`.source.replace(CONTROLS, "");
}

/** Turns distances from the start of a line into positions from the left: `x` for text, `left` for drawings. */
function placesFrom(isRightToLeft: boolean) {
  const x = (distance: number): number => (isRightToLeft ? BOX.width - EDGE - distance : EDGE + distance);
  return {
    x,
    left: (distance: number, width: number): number => x(distance) - (isRightToLeft ? width : 0),
    /** In both languages, signed numbers are written left to right. */
    anchor: isRightToLeft ? "end" : "start",
  };
}

function priceSvg(content: BoxPrice, { x, left, anchor }: ReturnType<typeof placesFrom>): Markup {
  const { price, size, unit, direction, change, time, age, sample } = content;
  const isStale = age !== undefined;
  const changed =
    change &&
    html`<g class="${direction}"><g transform="translate(${left(0, 8)} 75)"><path class="solid" d="${TRIANGLES[direction]}"/></g><text class="solid" direction="ltr" text-anchor="${anchor}" x="${x(14)}" y="84">${change.percent}</text></g>
${change.since !== undefined && html`<text class="soft" x="${x(22 + 7 * change.percent.length)}" y="84">${change.since}</text>`}`;
  return html`<text x="${x(0)}" y="60"><tspan class="${isStale ? "stale" : "price"}" font-size="${size}">${price}</tspan> <tspan class="soft">${unit}</tspan></text>
${changed}<text class="${isStale ? "old" : "soft"}" x="${x(isStale ? 20 : 0)}" y="105">${time}</text>
${isStale && html`<g transform="translate(${left(0, BOX.clock)} 94)">${clockOf()}</g>`}${
  sample !== undefined &&
  html`<text class="old" text-anchor="end" x="${x(BOX.width - 2 * EDGE)}" y="105">${sample}</text>`
}
<g transform="translate(${left(BOX.width - 2 * EDGE - LINE.width - 7, LINE.width)} 45)">${plotOf(content)}</g>`;
}
