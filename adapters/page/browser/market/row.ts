import type { PageContext } from "../context.ts";
import { h, svg } from "../dom.ts";
import type { Child } from "../dom.ts";
import { messagesOf } from "../messages.ts";
import { addressOf } from "../places.ts";
import type { Entry } from "./entries.ts";
import { MARKET, categoryName } from "./messages.ts";
import { sparkline } from "./sparkline.ts";

const WIDTH = 112;
const HEIGHT = 26;

/** What the rows need of the page. */
export type RowContext = Pick<PageContext, "format" | "preferences">;

/**
 * One row of the table. The roles are written out, as browsers drop those of a table whose rows are laid out as a
 * grid, which they are on a phone.
 */
export function marketRow(entry: Entry, context: RowContext, now: number): HTMLTableRowElement {
  return h(
    "tr",
    { role: "row" },
    nameCell(entry),
    cell("price", priceOf(entry, context)),
    cell("change", changeOf(entry, context)),
    cell("month", trendOf(entry, context)),
    cell("age", ageOf(entry, context, now)),
  );
}

/** A row of the catalog alone: name, category, unit. */
export function catalogRow(entry: Entry, { format, preferences }: RowContext): HTMLTableRowElement {
  const category = categoryName(entry.asset.category, preferences.language);
  return h("tr", { role: "row" }, nameCell(entry), cell("category", [category]), cell("unit", [format.unitName(entry.unit)]));
}

/** The age of a price in words, and its mark when it is stale. Drawn anew each minute. */
export function ageOf({ latest }: Entry, { format, preferences }: RowContext, now: number): readonly Child[] {
  if (latest === undefined) return [];
  const texts = messagesOf(MARKET, preferences.language);
  const time = Date.parse(latest.businessTime);
  return [
    h("time", { datetime: latest.businessTime, title: format.dateTime(time) }, format.age(time, now)),
    latest.stale && h("span", { class: "badge" }, texts.stale),
  ];
}

function priceOf({ latest, unit }: Entry, { format, preferences }: RowContext): readonly Child[] {
  if (latest === undefined) return [h("span", { class: "small" }, messagesOf(MARKET, preferences.language).noPrice)];
  return [h("bdi", { class: "value" }, format.priceNumber(latest.value, unit)), " ", h("span", { class: "unit" }, format.unitName(unit))];
}

function changeOf({ latest, unit, ratio }: Entry, { format, preferences }: RowContext): readonly Child[] {
  const texts = messagesOf(MARKET, preferences.language);
  if (latest === undefined) return [];
  if (latest.before === null) return [h("span", { class: "small" }, texts.noChange)];
  const difference = latest.value - latest.before.value;
  const direction = difference > 0 ? "up" : difference < 0 ? "down" : "same";
  return [
    h(
      "span",
      { class: direction, title: texts.since(format.date(latest.before.date)) },
      h("span", { class: "arrow", "aria-hidden": "true" }, ARROWS[direction]),
      ratio !== undefined && h("bdi", { dir: "ltr" }, format.percent(ratio)),
    ),
    h("span", { class: "difference" }, h("bdi", { dir: "ltr" }, format.difference(difference, unit)), " ", format.unitName(unit)),
  ];
}

function trendOf({ latest, unit }: Entry, { format, preferences }: RowContext): readonly Child[] {
  const line = sparkline(latest?.days ?? [], WIDTH, HEIGHT);
  if (line === undefined) return [];
  const { path, end, first, last, low, high } = line;
  const text = messagesOf(MARKET, preferences.language).trend(
    format.priceNumber(first, unit),
    format.price(last, unit),
    format.percent(first === 0 ? 0 : last / first - 1),
    format.priceNumber(low, unit),
    format.priceNumber(high, unit),
  );
  return [
    svg(
      "svg",
      {
        role: "img", "aria-label": text, class: last > first ? "up" : last < first ? "down" : "same",
        viewBox: `-3 -3 ${WIDTH + 6} ${HEIGHT + 6}`, width: WIDTH + 6, height: HEIGHT + 6,
      },
      svg("path", { d: path }),
      svg("circle", { cx: end[0], cy: end[1], r: 2.2 }),
    ),
  ];
}

function nameCell({ asset, name }: Entry): HTMLTableCellElement {
  return h(
    "th",
    { scope: "row", role: "rowheader", class: "asset" },
    h("a", { id: `row-${asset.code}`, href: addressOf("asset", asset.code) }, h("bdi", {}, name)),
    h("code", { dir: "ltr" }, asset.code),
  );
}

function cell(name: string, content: readonly Child[]): HTMLTableCellElement {
  return h("td", { role: "cell", class: name }, content);
}

const ARROWS = { up: "▲", down: "▼", same: "" };
