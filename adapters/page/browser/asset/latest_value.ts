import { h } from "../dom.ts";
import type { AssetValue, CatalogEntry } from "../../../../core/mod.ts";
import { valueBefore } from "./changes.ts";
import { reloadButton } from "./reload_button.ts";
import { marketDay } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** The latest value with its unit, its change against the day before, and its age. `days` as far as they have come. */
export function latestValue(scene: Scene, entry: CatalogEntry<string>, days: readonly AssetValue<string>[] | undefined): HTMLElement {
  const { context, unit, texts } = scene;
  const { format, settings } = context;
  const { latestValue: value, businessTime } = entry;
  if (value === null || businessTime === null) return h("p", {}, texts.noRecord);
  const lines = h(
    "div",
    {},
    h("p", { class: "asset-value" }, h("strong", {}, h("bdi", {}, format.priceNumber(value, unit))), " ", h("span", {}, format.unitName(unit))),
    h("p", { class: "asset-change" }, days === undefined ? " " : change(scene, { value, businessTime }, days)),
    h(
      "p",
      { class: "small" },
      h("time", { datetime: businessTime }, format.dateTime(businessTime)),
      ` (${format.age(Date.parse(businessTime), Date.now())}) `,
      entry.stale && h("span", { class: "badge" }, texts.stale),
      entry.stale && ` ${texts.staleHint(settings.staleThresholdMinutes, format.number)}`,
    ),
  );
  return h("div", { class: "asset-latest" }, lines, reloadButton(scene));
}

function change({ context, unit, texts }: Scene, latest: Pick<AssetValue<string>, "value" | "businessTime">, days: readonly AssetValue<string>[]): HTMLElement {
  const { format, settings } = context;
  const dayOf = (time: string): string => marketDay(Date.parse(time), settings.marketTimeZone);
  const before = valueBefore(latest, days, dayOf);
  if (before === undefined) return h("span", { class: "small" }, texts.nothingBefore);
  const difference = latest.value - before.value;
  return h(
    "span",
    {},
    h(
      "span",
      { class: difference > 0 ? "up" : difference < 0 ? "down" : undefined },
      h("span", { "aria-hidden": "true" }, difference > 0 ? "▲ " : difference < 0 ? "▼ " : ""),
      h("bdi", {}, format.difference(difference, unit)),
      " (",
      h("bdi", {}, format.percent(difference / before.value)),
      ")",
    ),
    " ",
    h("span", { class: "small" }, texts.against(format.date(dayOf(before.businessTime)))),
  );
}
