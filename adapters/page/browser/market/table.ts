import { h } from "../dom.ts";
import { messagesOf } from "../messages.ts";
import { COLUMNS, sorted } from "./entries.ts";
import type { Column, Entry, Sorting } from "./entries.ts";
import { MARKET } from "./messages.ts";
import { ageOf, catalogRow, marketRow } from "./row.ts";
import type { RowContext } from "./row.ts";

/** The table, and what can be done to it without drawing its rows anew. */
export interface MarketTable {
  readonly element: HTMLTableElement;
  /** Shows the rows that match; returns how many there are. */
  filter(matches: (entry: Entry) => boolean): number;
  sort(sorting: Sorting | undefined): void;
  /** Writes the ages for a later time, in milliseconds since 1970. */
  age(now: number): void;
}

/**
 * Draws the table of all entries, in the order of the catalog.
 *
 * @param hasPrices Whether there are columns for prices; without a key there is only what the catalog tells.
 */
export function marketTable(entries: readonly Entry[], context: RowContext, hasPrices: boolean, onSort: (column: Column) => void): MarketTable {
  const { language } = context.preferences;
  const texts = messagesOf(MARKET, language);
  const now = Date.now();
  const rows = new Map(entries.map((entry) => [entry, hasPrices ? marketRow(entry, context, now) : catalogRow(entry, context)]));
  const heads = new Map(COLUMNS.map((column) => [column, head(column)]));
  const body = h("tbody", { role: "rowgroup" }, ...rows.values());

  function head(column: Column): HTMLTableCellElement {
    const button = h("button", { id: `sort-${column}`, type: "button", onclick: () => onSort(column) }, texts.columns[column]);
    return h("th", { scope: "col", role: "columnheader", class: column }, button);
  }

  return {
    element: h(
      "table",
      { class: hasPrices ? "market" : "market catalog", role: "table", "aria-label": texts.table },
      h(
        "thead",
        { role: "rowgroup" },
        h(
          "tr",
          { role: "row" },
          heads.get("name"),
          hasPrices
            ? [heads.get("price"), heads.get("change"), plainHead("month", texts.month), heads.get("age")]
            : [plainHead("category", texts.category), plainHead("unit", texts.unit)],
        ),
      ),
      body,
    ),
    filter(matches) {
      let count = 0;
      for (const [entry, row] of rows) {
        row.hidden = !matches(entry);
        if (!row.hidden) count++;
      }
      return count;
    },
    sort(sorting) {
      for (const [column, cell] of heads) {
        if (sorting?.column === column) cell.setAttribute("aria-sort", sorting.direction);
        else cell.removeAttribute("aria-sort");
      }
      body.append(...sorted(entries, sorting, language).map((entry) => rows.get(entry)!));
    },
    age(later) {
      if (!hasPrices) return;
      for (const [entry, row] of rows) row.querySelector(".age")!.replaceChildren(...(ageOf(entry, context, later).filter((child) => child instanceof Node)));
    },
  };
}

function plainHead(name: string, text: string): HTMLTableCellElement {
  return h("th", { scope: "col", role: "columnheader", class: name }, text);
}
