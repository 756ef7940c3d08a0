import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { addressOf } from "../data/addresses.ts";
import { type Entry, entriesOf } from "../data/market_entries.ts";
import { format, language, texts as pageTexts, place, rows, settings } from "../data/state.ts";
import { fill } from "../texts/fill.ts";
import { icon } from "./icons.tsx";
import { Change, Price, UnitSign } from "./numbers.tsx";

const MOST = 8;

/** The search for assets. `/` focuses the field, arrow keys choose a result, Enter opens the result. */
export function Search() {
  const texts = pageTexts.value;
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const query = useSignal("");
  const isOpen = useSignal(false);
  const at = useSignal(0);
  const file = useSignal<typeof import("../data/asset_search.ts") | undefined>(undefined);
  const entries = useMemo(() => entriesOf(settings.assets, rows.value, language.value), [rows.value, language.value]);
  const search = (): { readonly all: readonly Entry[]; readonly read: string } =>
    file.value?.search(entries, query.value) ?? { all: [], read: query.value };
  const { all, read } = useMemo(search, [file.value, entries, query.value]);
  const isCalculator = file.value?.meansCalculator(query.value) ?? false;
  const results = isCalculator ? [] : all.slice(0, MOST);
  const isShown = isOpen.value && file.value !== undefined && query.value.trim() !== "";
  const count = fill(texts.results, { count: format.value.number(all.length) });
  let status = read === query.value ? count : fill(texts.readAs, { query: query.value.trim(), read, count });
  if (all.length === 0) status = fill(texts.noneFound, { query: query.value.trim() });

  useEffect(
    () =>
      document.addEventListener("keydown", (event) => {
        const { target } = event;
        const fields = "input:not([type=radio], [type=checkbox]), textarea, select";
        const isTyping = target instanceof HTMLElement && target.matches(fields);
        if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        showField();
      }),
    [],
  );
  useEffect(close, [place.value]);

  function close(): void {
    isOpen.value = false;
    query.value = "";
    at.value = 0;
    box.current!.classList.remove("open");
  }

  function begin(): void {
    isOpen.value = true;
    if (file.value === undefined)
      void import("../data/asset_search.ts").then((found) => (file.value = found), reportError);
  }

  function showField(): void {
    box.current!.classList.add("open"); // on a phone, the field was hidden until now
    field.current!.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape") close();
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const chosen = results[at.value]?.asset.code;
    if (step !== 0) at.value = chosen === undefined ? 0 : (at.value + step + results.length) % results.length;
    else if (isCalculator) location.hash = addressOf("gold");
    else if (chosen !== undefined) {
      close(); // also if this asset is already shown
      location.hash = addressOf("asset", chosen);
    }
  }

  function leave({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Node && box.current!.contains(relatedTarget))) isOpen.value = false;
  }

  return (
    <div class="search" ref={box} role="search" onFocusOut={leave}>
      <button class="quiet search-open" aria-label={texts.search} onClick={showField}>
        {icon("search")}
      </button>
      <div class="search-field">
        {icon("search")}
        <input
          id="search"
          ref={field}
          type="search"
          role="combobox"
          aria-label={texts.search}
          aria-expanded={isShown}
          aria-controls="search-results"
          aria-autocomplete="list"
          aria-activedescendant={isShown && results.length > 0 ? `found-${results[at.value]?.asset.code}` : undefined}
          placeholder={texts.searchHint}
          autocomplete="off"
          spellcheck={false}
          value={query.value}
          maxLength={40}
          onInput={({ currentTarget }) => {
            query.value = currentTarget.value;
            at.value = 0;
            begin();
          }}
          onFocus={begin}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden="true">/</kbd>
        <button class="quiet search-close" aria-label={texts.close} onClick={close}>
          {icon("close")}
        </button>
      </div>
      <div class="search-results" hidden={!isShown}>
        <div id="search-results" role="listbox" aria-label={texts.search}>
          {isShown &&
            results.map((entry, index) => (
              <Result key={entry.asset.code} entry={entry} isChosen={index === at.value} />
            ))}
        </div>
        <p class="small" role="status">
          {isShown && (isCalculator ? <a href={addressOf("gold")}>{texts.gold}</a> : status)}
        </p>
      </div>
    </div>
  );
}

/** A result is a link, so that it can also be opened in a new tab. The field keeps the focus. */
function Result({ entry, isChosen }: { readonly entry: Entry; readonly isChosen: boolean }) {
  const { asset, name, latest, unit } = entry;
  return (
    <a
      class="row"
      id={`found-${asset.code}`}
      href={addressOf("asset", asset.code)}
      role="option"
      aria-selected={isChosen}
      tabIndex={-1}
      onMouseDown={(event) => event.preventDefault()}
    >
      <span class="found-name">
        <bdi>{name}</bdi> <code dir="ltr">{asset.code}</code>
      </span>
      {latest !== undefined && (
        <span class="found-price">
          <UnitSign unit={unit} />
          <Price value={latest.value} unit={unit} /> <Change latest={latest} />
        </span>
      )}
    </a>
  );
}
