import type { PageContext } from "../context.ts";
import { h } from "../dom.ts";
import { unitOf } from "../format.ts";
import { messagesOf } from "../messages.ts";
import type { Filter } from "./entries.ts";
import { MARKET, categoryName } from "./messages.ts";

/** Search, category and unit. */
export function toolbar({ settings, preferences, format }: PageContext, filter: Filter, onChange: (filter: Filter) => void): HTMLElement {
  const texts = messagesOf(MARKET, preferences.language);
  const search = h("input", { id: "market-search", type: "search", value: filter.query, placeholder: texts.searchHint, autocomplete: "off", spellcheck: "false", oninput: change });
  const categories = new Map(settings.assets.map(({ category }) => [category, categoryName(category, preferences.language)]));
  const category = choice("market-category", texts.allCategories, categories, filter.category, change);
  const unit = choice("market-unit", texts.allUnits, new Map(settings.assets.map((asset) => [unitOf(asset), format.unitName(unitOf(asset))])), filter.unit, change);

  function change(): void {
    search.defaultValue = search.value; // or else this text would be put back into the field that another address draws
    onChange({ query: search.value, category: category.value, unit: unit.value });
  }

  return h(
    "div",
    { class: "toolbar", role: "search" },
    labelled(texts.search, search),
    labelled(texts.category, category),
    labelled(texts.unit, unit),
  );
}

function labelled(text: string, control: HTMLElement): HTMLElement {
  return h("label", { class: control.tagName.toLowerCase() }, h("span", { class: "visually-hidden" }, text), control);
}

function choice(id: string, all: string, options: ReadonlyMap<string, string>, chosen: string, onchange: () => void): HTMLSelectElement {
  return h("select", { id, onchange }, h("option", { value: "" }, all), ...[...options].map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}
