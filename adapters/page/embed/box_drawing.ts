// The size, colours and drawings that both the HTML page and the picture of a box use.
import { PATHS, SIGN } from "../browser/parts/icon_paths.ts";
import { html, type Markup } from "../html_markup.ts";
import type { BoxPrice, PriceBox } from "./price_box.ts";

/** In pixels. */
export const BOX = { width: 340, height: 120, sign: 16, clock: 14 };

/** The colours of `browser/styles/tokens.css`, but without `light-dark`, which many image viewers do not support. */
export const LIGHT =
  "--surface:#ffffff;--line:#e4e1da;--ink:#15181d;--ink-soft:#555b64;--stroke:#666c75;--accent:#2147b0;--on-accent:#ffffff;--up:#0a7448;--down:#b8282d;--warn:#875800";
export const DARK =
  "--surface:#14181f;--line:#262d37;--ink:#eceef2;--ink-soft:#a9b1bd;--stroke:#99a2af;--accent:#93b3ff;--on-accent:#0d1015;--up:#4ecb8c;--down:#ff8c86;--warn:#eab54a";
/** The arrow up or down beside a change. */
export const TRIANGLES = { up: "M0 7h8L4 2Z", down: "M0 2h8L4 7Z", same: "" };
const DRAWINGS = `
.up{color:var(--up)}.down{color:var(--down)}.same{color:var(--ink-soft)}.solid{fill:currentColor}
.plot{fill:none;stroke:var(--stroke);stroke-width:1.4;stroke-linejoin:round}
.clock{fill:none;stroke:var(--warn);stroke-width:2}
.sign rect{fill:var(--accent)}.sign path{fill:none;stroke:var(--on-accent);stroke-width:2.2;stroke-linecap:round}`;

/** The style of the drawings in a theme. `auto` follows the reader's system or, in a frame, the outer page. */
export function drawingStyle(theme: PriceBox["theme"]): string {
  const dark = theme === "auto" ? `\n@media (prefers-color-scheme:dark){:root{${DARK}}}` : "";
  return `:root{${theme === "dark" ? DARK : LIGHT}}${dark}${DRAWINGS}`;
}

/** The logo. */
export function signOf(): Markup {
  return html`<svg class="sign" width="${BOX.sign}" height="${BOX.sign}" viewBox="0 0 26 26" aria-hidden="true"><rect width="26" height="26" rx="6"/><path d="${SIGN}"/></svg>`;
}

/** The clock icon of a stale price. */
export function clockOf(): Markup {
  return html`<svg class="clock" width="${BOX.clock}" height="${BOX.clock}" viewBox="0 0 18 18" aria-hidden="true"><path d="${PATHS.clock}"/></svg>`;
}

/** The grey line of thirty days. The dot at its end has the colour of the change. */
export function plotOf({ line, direction }: BoxPrice): Markup | false {
  const [x, y] = line.at(-1) ?? [];
  if (x === undefined) return false;
  const path = `M${line.map((point) => point.join(" ")).join("L")}`;
  return html`<path class="plot" d="${path}"/><circle class="solid ${direction}" cx="${x}" cy="${y}" r="2.5"/>`;
}
