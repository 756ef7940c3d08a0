import { h } from "../dom.ts";
import type { AssetValue } from "../../../../core/mod.ts";
import { withChanges } from "./changes.ts";
import { csvFileName, recordsCsv } from "./csv.ts";
import type { DayRange } from "./days.ts";
import { marketDay } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** The values of days as a table, newest first, and their download. `days` ascending. */
export function historyTable(scene: Scene, range: DayRange, days: readonly AssetValue<string>[]): HTMLElement[] {
  const { context, asset, unit, texts } = scene;
  const { format, settings } = context;
  if (days.length === 0) return [h("p", {}, texts.noDays)];
  const said = texts.daysShown(days.length, format.date(range.from), format.date(range.to), format.number);
  const download = (): void => save(csvFileName(asset.code, range), recordsCsv(days));
  const unitOfApi = unit === "POINT" ? format.unitName(unit) : asset.quoteUnit === "USD" ? texts.units.USD : texts.units.RLS;
  return [
    h("div", { class: "asset-table", role: "region", tabindex: 0, "aria-label": said }, table(scene, days)),
    h("p", { class: "small" }, `${said}. ${texts.daysNote(settings.marketTimeZone)}`),
    h(
      "p",
      { class: "asset-download" },
      h("button", { type: "button", id: "asset-csv", onclick: download, "aria-describedby": "asset-csv-note" }, texts.download(format.date(range.from), format.date(range.to))),
      " ",
      h("span", { class: "small", id: "asset-csv-note" }, texts.csvNote(unitOfApi)),
    ),
  ];
}

function table({ context, unit, texts }: Scene, days: readonly AssetValue<string>[]): HTMLElement {
  const { format, settings } = context;
  const rows = withChanges(days).map(({ day, change }) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, format.date(marketDay(Date.parse(day.businessTime), settings.marketTimeZone))),
      h("td", { class: "asset-number" }, h("bdi", {}, format.priceNumber(day.value, unit))),
      h("td", { class: `asset-number ${directionOf(change)}` }, change === undefined ? "" : h("bdi", {}, format.percent(change))),
      h("td", { class: "asset-number" }, h("time", { datetime: day.businessTime }, format.time(day.businessTime))),
    ),
  );
  const heads = [`${texts.value} (${format.unitName(unit)})`, texts.change, texts.time];
  return h(
    "table",
    {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, texts.day), ...heads.map((head) => h("th", { scope: "col", class: "asset-number" }, head)))),
    h("tbody", {}, ...rows),
  );
}

function directionOf(change: number | undefined): string {
  return change === undefined || change === 0 ? "" : change > 0 ? "up" : "down";
}

/** Gives the visitor a file. */
function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // not at once: some browsers read it after the click
}
