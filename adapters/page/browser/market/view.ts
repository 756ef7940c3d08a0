import type { PageContext, View } from "../context.ts";
import { h, replaceContent } from "../dom.ts";
import { failureBox } from "../failure_box.ts";
import { openKeyPanel } from "../header/key_panel.ts";
import { keyLink } from "../key_link.ts";
import { messagesOf } from "../messages.ts";
import { LONGEST_SEARCH, marketAddress, parseMarketChoice } from "./choice.ts";
import type { MarketChoice } from "./choice.ts";
import { entriesOf, filterOf, nextSorting } from "./entries.ts";
import type { Entry, Filter } from "./entries.ts";
import { loadMarket } from "./load.ts";
import type { MarketLoad } from "./load.ts";
import { MARKET } from "./messages.ts";
import { marketTable } from "./table.ts";
import { toolbar } from "./toolbar.ts";

const ALL: Filter = { query: "", category: "", unit: "" };

/**
 * Makes the market view. It keeps its last load, so that someone who comes back from an asset or changes the language
 * finds the table as it was, without another unit. Filter and sorting are in the address.
 */
export function createMarketView(): View {
  let load: MarketLoad | undefined;
  /** A search that may be a key, so that it is not in the address. */
  let unsaid: { readonly address: string; readonly query: string } | undefined;

  return (context) => {
    const { key, settings, place, preferences, format, signal, noteQuota, announce, record } = context;
    const texts = messagesOf(MARKET, preferences.language);
    const above = h("div", {});
    const status = h("p", { class: "small", role: "status" });
    const legend = h("p", { class: "small legend" }, texts.legend(format.number(settings.staleThresholdMinutes)));
    const asOf = h("p", { class: "small" });
    const below = h("div", {});
    const nothing = h("p", { class: "nothing" });
    const reload = h("button", { id: "market-reload", type: "button", onclick: startLoad }, texts.reload);
    const bar = h("div", {});
    let entries: readonly Entry[] = [];
    let table = marketTable(entries, context, true, sort);
    let choice = parseMarketChoice(place.query, settings.assets);
    if (unsaid?.address === marketAddress(choice, key)) choice = { ...choice, query: unsaid.query };
    choose(choice, false); // an address that leads nowhere else becomes that of the market

    if (load?.key !== key) load = undefined;
    if (key !== undefined && load === undefined) startLoad();
    else {
      show();
      if (load !== undefined) void showWhenDone(load);
    }
    showToolbar();
    const minute = setInterval(() => table.age(Date.now()), 60_000);
    signal.addEventListener("abort", () => clearInterval(minute));

    const title = h("div", { class: "title-row" }, h("h1", {}, texts.title), h("div", { class: "as-of" }, asOf, key !== undefined && reload));
    return h("section", { class: "market-view" }, title, above, bar, status, legend, below);

    function startLoad(): void {
      if (key === undefined || load?.isLoading === true) return;
      load = loadMarket(key, noteQuota, load);
      announce(texts.loading);
      show();
      void showWhenDone(load);
    }

    async function showWhenDone(awaited: MarketLoad): Promise<void> {
      if (!awaited.isLoading) return;
      await awaited.done;
      if (signal.aborted || awaited !== load) return;
      show();
      if (awaited.failure === undefined) announce(awaited.isUnchanged ? texts.unchanged : texts.loaded(format.number(awaited.summary?.assets.length ?? 0)));
    }

    function show(): void {
      const summary = load?.summary;
      above.replaceChildren(...notes());
      asOf.textContent = loadText();
      reload.disabled = load?.isLoading === true;
      entries = entriesOf(settings.assets, summary, preferences.language);
      table = marketTable(entries, context, summary !== undefined || load?.isLoading === true, sort);
      table.element.classList.toggle("without-prices", summary === undefined);
      table.element.setAttribute("aria-busy", String(load?.isLoading === true));
      table.sort(choice.sorting);
      legend.hidden = summary === undefined;
      replaceContent(below, table.element, nothing);
      showFiltered();
    }

    function loadText(): string {
      if (load?.isLoading === true) return texts.loading;
      if (load?.loadedAt === undefined) return "";
      return `${texts.loadedAt(format.dateTimeInZone(load.loadedAt))}${load.isUnchanged ? ` · ${texts.unchanged}` : ""}`;
    }

    /** What is to be said before the table: that a key is needed, why there are no prices. */
    function notes(): readonly Node[] {
      if (key === undefined) return [askForKey(context)];
      if (load?.failure !== undefined) return [failureBox(load.failure, context, startLoad)];
      if (load?.summary?.assets.length === 0) return [h("p", { class: "ask" }, texts.empty, " ", h("code", { dir: "ltr" }, "mazaneh import FILE"))];
      return [];
    }

    function showFiltered(): void {
      const matches = filterOf(choice);
      const count = table.filter(matches);
      const priced = entries.filter((entry) => entry.latest !== undefined && matches(entry)).length;
      const counted = texts.count(format.number(count), format.number(settings.assets.length));
      status.textContent = load?.summary === undefined || priced === count ? counted : `${counted} · ${texts.priced(format.number(priced))}`;
      table.element.hidden = count === 0;
      nothing.hidden = count > 0;
      if (count === 0) nothing.replaceChildren(texts.none(shortened(choice.query.trim())), " ", h("button", { type: "button", onclick: clear }, texts.clear));
    }

    function showToolbar(): void {
      bar.replaceChildren(
        toolbar(context, choice, (filter) => {
          // Each letter of a search is not worth a step back, but its begin is.
          const isTyping = choice.query !== "" && filter.query !== choice.query;
          choose({ ...choice, ...filter }, !isTyping);
          showFiltered();
        }),
      );
    }

    function clear(): void {
      choose({ ...choice, ...ALL }, true);
      showToolbar();
      showFiltered();
      document.getElementById("market-search")?.focus();
    }

    function sort(column: Parameters<typeof nextSorting>[1]): void {
      choose({ ...choice, sorting: nextSorting(choice.sorting, column) }, true);
      table.sort(choice.sorting);
    }

    function choose(next: MarketChoice, isStep: boolean): void {
      const address = marketAddress(next, key);
      choice = next;
      unsaid = { address, query: next.query };
      record(address, isStep);
    }
  };
}

function shortened(query: string): string {
  const letters = [...query];
  return letters.length <= LONGEST_SEARCH ? query : `${letters.slice(0, LONGEST_SEARCH).join("")}…`;
}

function askForKey(context: PageContext): HTMLElement {
  const texts = messagesOf(MARKET, context.preferences.language);
  return h(
    "div",
    { class: "ask" },
    h("strong", {}, texts.askTitle),
    h("p", {}, texts.askText),
    h("p", { class: "failure-acts" }, h("button", { type: "button", class: "primary", onclick: openKeyPanel }, texts.askAct), keyLink(context)),
  );
}
