import { createContext } from "preact";
import { useContext, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { Quota } from "../../client/mod.ts";
import type { PageSettings } from "../page_settings.ts";
import { accessWith, keepKey, readKey } from "./api_key.ts";
import { TEXTS } from "./built_texts.ts";
import { createFormat, marketDayOf } from "./format_values.ts";
import { readStored, writeStored } from "./local_storage.ts";
import { createKnownMarket, fetchMarket } from "./market/known_market.ts";
import { addressOf, type Place, placeOf, shownAddress } from "./page_addresses.ts";
import { type Choices, keepChoice, languageOf, preferencesOf, readChoices } from "./preferences.ts";

const MINUTE_MS = 60_000;
const WIDE = matchMedia("(width >= 112.5rem)");
const BASE = new URL(document.body.dataset["root"]!, location.href).href.replace(/\/$/, "");

/** What every part of the page knows, and by which functions it changes the page. */
export type PageContext = ReturnType<typeof usePageState>;

export const PageContextHolder = createContext<PageContext | undefined>(undefined);

/** The context of the page. */
export function usePage(): PageContext {
  return useContext(PageContextHolder)!; // `Page` is around everything
}

/** Holds what changes: place, preferences, key, and what is known of prices. */
export function usePageState(settings: PageSettings) {
  const { isPublic, demoKey, marketTimeZone } = settings;
  const [choices, setChoices] = useState(readChoices);
  const [watched, setWatched] = useState(readWatched);
  const [said, announce] = useState("");
  const [isLiveChosen, setLiveChosen] = useState(false);
  const [, redraw] = useReducer<number, void>((times) => times + 1, 0);
  const place = usePlace();
  const keyed = useKey(settings, redraw);
  const { key, known } = keyed;
  const market = known.state();
  const marketAddress = useRef(addressOf("market"));
  if (place.view === "market") marketAddress.current = addressOf("market", undefined, place.query);
  const preferences = useMemo(() => preferencesOf(choices, languageOf(navigator.languages)), [choices]);
  const isFree = isPublic || (key !== undefined && key === demoKey);
  const isLive = isFree || (key !== undefined && isLiveChosen);

  useEffect(() => void (key !== undefined && known.load()), [known]);
  useEachMinute(isLive, known.load);
  useEffect(() => {
    setInterval(redraw, MINUTE_MS / 4); // ages grow by themselves
    WIDE.addEventListener("change", () => redraw());
    addEventListener("storage", () => setWatched(readWatched())); // of another tab
  }, []);

  return {
    settings,
    place,
    preferences,
    ...keyed,
    /** For examples: origin and mount path, without a slash at the end. */
    baseUrl: BASE,
    /** Whether there is room for the market beside the asset. */
    isWide: WIDE.matches,
    /** The address of the market as it was last seen, with its group and sorting: the way back to it. */
    marketAddress: marketAddress.current,
    market,
    /** Whether the first prices are on their way: then bars stand where they will be. */
    isAwaited: key !== undefined && market.summary === undefined && market.failure === undefined,
    /** Milliseconds since 1970, moving on while the page is open. */
    now: Date.now(),
    format: useMemo(() => createFormat(preferences, marketTimeZone), [preferences]),
    texts: TEXTS[preferences.language],
    /** Whether the market is asked for anew each minute, and whether that is free. */
    live: {
      isOn: isLive,
      isFree,
      set(isOn: boolean): void {
        setLiveChosen(isOn);
        if (isOn) void known.load();
      },
    },
    /** The codes of the watch list, which is kept on the device. */
    watched,
    watch(code: string): void {
      const next = new Set(watched);
      if (!next.delete(code)) next.add(code);
      writeStored("watched", [...next]);
      setWatched(next);
    },
    /** Goes to another address without an entry in the history. */
    replace(address: string): void {
      history.replaceState(history.state, "", address);
      dispatchEvent(new Event("popstate"));
    },
    setPreferences: (change: Choices): void => setChoices(keepChoice(choices, change)),
    said,
    /** Says a sentence to screen readers, e.g. that something was loaded. */
    announce,
  };
}

function readWatched(): ReadonlySet<string> {
  const stored = readStored("watched");
  return new Set(Array.isArray(stored) ? stored.filter((code) => typeof code === "string") : []);
}

/** The key, and what depends on it: who asks with it, the units that are left, and the prices. */
function useKey({ isPublic, demoKey, marketTimeZone, maxCandles }: PageSettings, redraw: () => void) {
  const [{ key: own, keep }, setKept] = useState(readKey);
  const [quotas, setQuotas] = useState<ReadonlyMap<string | undefined, Quota>>(new Map()); // an answer to another key tells nothing of this one
  const key = isPublic ? "" : (own ?? demoKey);
  const access = useMemo(
    () =>
      accessWith(key, BASE, { maxCandles, onQuota: (quota) => setQuotas((before) => new Map(before).set(key, quota)) }),
    [key],
  );
  const known = useMemo(
    () => createKnownMarket(() => fetchMarket(access, BASE), marketDayOf(marketTimeZone), redraw),
    [access],
  );
  return {
    /** Never in an address; in a storage only where the visitor says so. An empty text where none is needed, since the market is public. */
    key,
    keep,
    /** Calls the API with this key. What its answers tell of the quota is shown in the header by itself. */
    client: access.client,
    known,
    quota: quotas.get(key),
    /** Takes another key, and where it is kept; `undefined` forgets it. */
    setKey(entered: string | undefined, place = keep): void {
      setKept({ key: entered, keep: place });
      keepKey(entered, place);
    },
  };
}

/** The place of the address, which moves on with it. A place that is gone to begins at its top with its heading; one that is gone back to, where it was left. */
function usePlace(): Place {
  const [href, setHref] = useState(location.href);
  const place = useMemo(() => placeOf(location.hash, location.pathname), [href]);
  const before = useRef({ place, href });
  const leftAt = useRef(new Map<string, { readonly focused: string | undefined; readonly scrollY: number }>());

  useEffect(() => {
    history.scrollRestoration = "manual"; // the browser's own memory does not know the other view's height
    addEventListener("popstate", () => {
      // a click on a link to another hash is one, too
      const focused = document.activeElement?.closest("#main *")?.id;
      leftAt.current.set(before.current.href, { focused, scrollY });
      setHref(location.href);
    });
  }, []);

  useLayoutEffect(() => {
    const left = before.current.place;
    const isNew = history.state === null; // going back leads to an entry with a state
    history.replaceState("drawn", "", BASE + shownAddress(place, location.hash));
    before.current = { place, href: location.href };
    if (left.view === place.view && left.id === place.id) return;
    const main = document.getElementById("main")!;
    // Beside the market, the asset changes and the list stays as it is.
    if (main.querySelector(".panes")?.contains(document.activeElement)) return;
    const { focused = "", scrollY: y } = (isNew ? undefined : leftAt.current.get(location.href)) ?? { scrollY: 0 };
    const heading = main.querySelector("h1") ?? main;
    heading.setAttribute("tabindex", "-1");
    (document.getElementById(focused) ?? heading).focus({ preventScroll: true });
    scrollTo(0, y);
  }, [place]);
  return place;
}

/** Loads anew each minute while the tab is in view, at once when it comes back after more than that, and when the connection does. */
function useEachMinute(isOn: boolean, load: () => Promise<void>): void {
  useEffect(() => {
    if (!isOn) return;
    const left = new AbortController();
    let asked = Date.now();
    const ask = (): void => {
      if (document.hidden || Date.now() - asked < MINUTE_MS) return;
      asked = Date.now();
      void load();
    };
    const timer = setInterval(ask, MINUTE_MS / 12);
    document.addEventListener("visibilitychange", ask, left);
    addEventListener("online", load, left);
    left.signal.addEventListener("abort", () => clearInterval(timer));
    return () => left.abort();
  }, [isOn, load]);
}
