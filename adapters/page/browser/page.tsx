import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import type { Quota } from "../../client/mod.ts";
import type { PageSettings } from "../page_settings.ts";
import { accessWith, keepKey, readKey } from "./access.ts";
import { PageContextHolder } from "./context.ts";
import type { PageContext } from "./context.ts";
import { createFormat, unitOf } from "./format.ts";
import { Footer, Header, SampleLine, TabBar, serviceName } from "./header/frame.tsx";
import { createKnownMarket, fetchMarket } from "./market/known.ts";
import { marketDayOf } from "./market_day.ts";
import { PAGE } from "./messages.ts";
import { addressOf, placeOf, shownAddress } from "./places.ts";
import type { Place } from "./places.ts";
import { choose, languageOf, preferencesOf, readChoices } from "./preferences.ts";
import { readStored, writeStored } from "./storage.ts";
import type { Keep } from "./storage.ts";
import { textsIn } from "./texts.ts";
import { nameOf } from "./titles.ts";
import { ViewHere } from "./views.tsx";

const MINUTE_MS = 60_000;
const WIDE = matchMedia("(width >= 112.5rem)");
const BASE = new URL(document.body.dataset["root"]!, location.href).href.replace(/\/$/, "");

/** The whole page, as long as it is open. It holds what changes: place, preferences, key, and what is known of prices. */
export function Page({ settings }: { readonly settings: PageSettings }) {
  const { isPublic, demoKey, marketTimeZone } = settings;
  const [choices, setChoices] = useState(readChoices);
  const [said, announce] = useState("");
  const [isLiveChosen, setLiveChosen] = useState(false);
  const [, redraw] = useReducer((times: number, _: void) => times + 1, 0);
  const place = usePlace();
  const { quota, keep, ...keyed } = useKey(settings, redraw);
  const { key, known } = keyed;
  const marketAddress = useRef(addressOf("market"));
  if (place.view === "market") marketAddress.current = addressOf("market", undefined, place.query);
  const preferences = useMemo(() => preferencesOf(choices, languageOf(navigator.languages)), [choices]);
  const isFree = isPublic || (key !== undefined && key === demoKey);
  const isLive = isFree || (key !== undefined && isLiveChosen);

  const page: PageContext = {
    settings, place, preferences, announce, ...keyed, ...useWatchList(),
    baseUrl: BASE,
    market: known.state(),
    now: Date.now(),
    format: useMemo(() => createFormat(preferences, marketTimeZone), [preferences]),
    texts: useMemo(() => textsIn(PAGE, preferences.language), [preferences.language]),
    marketAddress: marketAddress.current,
    live: { isOn: isLive, isFree, set: setLiveChosen },
    go(address) {
      location.hash = address;
    },
    replace(address) {
      history.replaceState(history.state, "", address);
      dispatchEvent(new Event("popstate"));
    },
    setPreferences(change) {
      const next = choose(choices, change);
      writeStored("preferences", next);
      setChoices(next);
    },
  };

  useEffect(() => void (key !== undefined && known.load()), [known]);
  useEachMinute(isLive, known.load);
  useEffect(() => {
    setInterval(redraw, MINUTE_MS / 4); // ages grow by themselves
    WIDE.addEventListener("change", () => redraw());
  }, []);
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.lang = preferences.language;
    root.dir = preferences.language === "fa" ? "rtl" : "ltr";
    root.dataset["theme"] = preferences.theme;
  }, [preferences]);
  document.title = titleOf(page);

  return (
    <PageContextHolder.Provider value={page}>
      <a class="skip" href="#main" onClick={skipToMain}>{page.texts.skip}</a>
      <Header quota={quota} keep={keep} />
      <SampleLine />
      <main id="main" tabIndex={-1}><ViewHere isWide={WIDE.matches} /></main>
      <Footer />
      <TabBar />
      <div class="visually-hidden" role="status">{said}</div>
    </PageContextHolder.Provider>
  );
}

/** The title of the document, e.g. `1,985,528 rial US Dollar (USD_RLS) – Mazaneh`: with the price, so that a tab in the background is of use. */
function titleOf(page: PageContext): string {
  const { place: { view, id }, settings: { assets, isSample }, preferences: { language }, texts, format, market } = page;
  const asset = view === "asset" ? assets.find(({ code }) => code === id) : undefined;
  const latest = asset && market.rows.get(asset.code);
  const price = latest === undefined ? "" : `${format.price(latest.value, unitOf(asset!))} `;
  const here = view !== "asset" ? texts[view] : asset === undefined ? id : `${price}${nameOf(asset, language)} (${asset.code})`;
  return `${here} – ${serviceName(page)}${isSample ? ` (${texts.sampleMark})` : ""}`;
}

function skipToMain(event: Event): void {
  event.preventDefault(); // the hash is the place, so `#main` must not get into it
  document.getElementById("main")!.focus();
}

/** The key, and what depends on it: who asks with it, the units that are left, and the prices. */
function useKey({ isPublic, demoKey, marketTimeZone, maxCandles }: PageSettings, redraw: () => void) {
  const [{ key: own, keep }, setKept] = useState(readKey);
  const [quotas, setQuotas] = useState<ReadonlyMap<string | undefined, Quota>>(new Map()); // an answer to another key tells nothing of this one
  const key = isPublic ? "" : (own ?? demoKey);
  const access = useMemo(() => accessWith(key, BASE, { maxCandles, onQuota: (told) => setQuotas((before) => new Map(before).set(key, told)) }), [key]);
  const known = useMemo(() => createKnownMarket(() => fetchMarket(access, BASE), marketDayOf(marketTimeZone), redraw), [access]);

  function setKey(entered: string | undefined, place: Keep = keep): void {
    setKept({ key: entered, keep: place });
    keepKey({ key: entered, keep: place });
  }
  return { key, keep, client: access.client, known, quota: quotas.get(key), setKey };
}

function useWatchList() {
  const [watched, setWatched] = useState<ReadonlySet<string>>(() => {
    const stored = readStored("watched");
    return new Set(Array.isArray(stored) ? stored.filter((code) => typeof code === "string") : []);
  });

  function watch(code: string): void {
    const next = new Set(watched);
    if (!next.delete(code)) next.add(code);
    writeStored("watched", [...next]);
    setWatched(next);
  }
  return { watched, watch };
}

/** The place of the address, which moves on with it. A place that is gone to begins at its top with its heading; one that is gone back to, where it was left. */
function usePlace(): Place {
  const [href, setHref] = useState(location.href);
  const place = useMemo(() => placeOf(location.hash, location.pathname), [href]);
  const before = useRef({ place, href });
  const leftAt = useRef(new Map<string, { readonly focused: string | undefined; readonly scrollY: number }>());

  useEffect(() => {
    history.scrollRestoration = "manual"; // the browser's own memory does not know the other view's height
    addEventListener("popstate", () => { // a click on a link to another hash is one, too
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
    let asked = Date.now();
    const ask = (): void => {
      if (document.hidden || Date.now() - asked < MINUTE_MS) return;
      asked = Date.now();
      void load();
    };
    const timer = setInterval(ask, MINUTE_MS / 12);
    document.addEventListener("visibilitychange", ask);
    addEventListener("online", load);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
      removeEventListener("online", load);
    };
  }, [isOn, load]);
}
