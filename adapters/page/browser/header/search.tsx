import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Entry, entriesOf } from "../market/market_entries.ts";
import { Change, Price, UnitSign } from "../market/price_numbers.tsx";
import { addressOf } from "../page_addresses.ts";
import { usePage } from "../page_context.ts";
import { fill } from "../texts.ts";
import { Icon } from "../ui/icon.tsx";

const MOST = 8;

/** Search for an asset by its names, with the price in each result. `/` leads to it; arrows choose, Enter opens. It is in no address. */
export function Search() {
  const {
    settings,
    market,
    preferences: { language },
    place,
    format,
    texts,
  } = usePage();
  const field = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const [query, setQuery] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const [file, setFile] = useState<typeof import("../market/asset_search.ts")>();
  const { all, read } = useMemo(
    () => file?.search(entriesOf(settings.assets, market.rows, language), query) ?? { all: [], read: query },
    [file, market.rows, language, query],
  );
  const results = all.slice(0, MOST);
  const isShown = isOpen && file !== undefined && query.trim() !== "";
  const count = fill(texts.results, { count: format.number(all.length) });
  let said = read === query ? count : fill(texts.readAs, { query: query.trim(), read, count });
  if (all.length === 0) said = fill(texts.noneFound, { query: query.trim() });

  useEffect(
    () =>
      document.addEventListener("keydown", (event) => {
        const isTyping =
          event.target instanceof HTMLElement &&
          event.target.matches("input:not([type=radio], [type=checkbox]), textarea, select");
        if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        showField();
      }),
    [],
  );
  useEffect(close, [place]);

  function close(): void {
    setOpen(false);
    setQuery("");
    setAt(0);
    box.current!.classList.remove("open");
  }

  function begin(): void {
    setOpen(true);
    if (file === undefined) void import("../market/asset_search.ts").then(setFile, reportError);
  }

  function showField(): void {
    box.current!.classList.add("open"); // on a phone it is hidden until then
    field.current!.focus();
  }

  function open({ asset }: Entry): void {
    close();
    location.hash = addressOf("asset", asset.code);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === "Escape") close();
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const chosen = results[at];
    if (chosen === undefined) return;
    if (step === 0) open(chosen);
    else setAt((at + step + results.length) % results.length);
  }

  function leave({ relatedTarget }: FocusEvent): void {
    if (!(relatedTarget instanceof Node && box.current!.contains(relatedTarget))) setOpen(false);
  }

  return (
    <div class="search" ref={box} role="search" onFocusOut={leave}>
      <button type="button" class="quiet search-open" aria-label={texts.search} onClick={showField}>
        <Icon name="search" />
      </button>
      <div class="search-field">
        <Icon name="search" />
        <input
          id="search"
          ref={field}
          type="search"
          role="combobox"
          aria-label={texts.search}
          aria-expanded={isShown}
          aria-controls="search-results"
          aria-autocomplete="list"
          aria-activedescendant={isShown && results.length > 0 ? `found-${results[at]?.asset.code}` : undefined}
          placeholder={texts.searchHint}
          autocomplete="off"
          spellcheck={false}
          value={query}
          maxLength={40}
          onInput={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setAt(0);
            begin();
          }}
          onFocus={begin}
          onKeyDown={onKeyDown}
        />
        <kbd aria-hidden="true">/</kbd>
        <button type="button" class="quiet search-close" aria-label="×" onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div class="search-results" hidden={!isShown}>
        <ul id="search-results" role="listbox" aria-label={texts.search}>
          {isShown &&
            results.map((entry, index) => (
              <Result key={entry.asset.code} entry={entry} isChosen={index === at} open={() => open(entry)} />
            ))}
        </ul>
        <p class="small" role="status">
          {isShown && said}
        </p>
      </div>
    </div>
  );
}

function Result({
  entry: { asset, name, latest, unit },
  isChosen,
  open,
}: {
  readonly entry: Entry;
  readonly isChosen: boolean;
  open(): void;
}) {
  return (
    <li
      id={`found-${asset.code}`}
      role="option"
      aria-selected={isChosen}
      onMouseDown={(event) => event.preventDefault()}
      onClick={open}
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
    </li>
  );
}
