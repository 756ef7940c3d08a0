import { h } from "../dom.ts";
import type { Child } from "../dom.ts";
import type { CatalogEntry } from "../../../../core/mod.ts";
import type { Scene } from "./scene.ts";

/** What the catalog tells of the asset: since when there are records, whose they are, how new the latest is. */
export function coverageSection({ context, texts }: Scene, entry: CatalogEntry<string>): HTMLElement {
  const { format } = context;
  const time = (text: string | null): Child => (text === null ? "–" : h("time", { datetime: text }, format.dateTime(text)));
  const quality = [entry.qualityStatus, entry.qualityMessage].filter((text) => text !== null && text !== "").join(": ");
  const rows: readonly (readonly [name: string, value: Child])[] = [
    [texts.code, h("code", { dir: "ltr" }, entry.code)],
    [texts.category, texts.categories[entry.category]],
    [texts.unit, texts.units[entry.quoteUnit]],
    [texts.firstRecord, time(entry.ohlcAvailableFrom)],
    [texts.latestRecord, time(entry.businessTime)],
    [texts.stored, time(entry.insertTime)],
    [texts.providers, h("bdi", {}, entry.providers.length === 0 ? texts.noProvider : entry.providers.join(", "))],
    [texts.quality, quality === "" ? "–" : h("bdi", { dir: "ltr", lang: "en" }, quality)],
  ];
  return h(
    "section",
    { class: "asset-coverage", "aria-labelledby": "asset-coverage-title" },
    h("h2", { id: "asset-coverage-title" }, texts.coverage),
    h("dl", { class: "asset-facts" }, ...rows.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))),
  );
}
