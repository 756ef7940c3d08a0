import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Quota } from "../../client/mod.ts";
import type { PageSettings } from "../page_settings.ts";
import { accessWith, keepKey, readKey } from "./access.ts";
import { PageContextHolder } from "./context.ts";
import type { PageContext } from "./context.ts";
import { createFormat } from "./format.ts";
import { Footer, Header, SampleLine, TabBar } from "./header/frame.tsx";
import { FRAME } from "./header/messages.ts";
import { marketDayOf } from "./market_day.ts";
import { createKnownMarket, fetchMarket } from "./market/known.ts";
import { addressOf, placeOf, shownAddress } from "./places.ts";
import type { Place } from "./places.ts";
import { choose, languageOf, preferencesOf, readChoices } from "./preferences.ts";
import { readStored, writeStored } from "./storage.ts";
import { titleOf } from "./titles.ts";
import { ViewHere } from "./views.tsx";

const MINUTE_MS = 60_000;
const WIDE = matchMedia("(width >= 112.5rem)");
const BASE = new URL(document.body.dataset["root"]!, location.href).href.replace(/\/$/, "");

/** The whole page. It holds what changes while it is open: place, preferences, key, and what is known of prices. */
export function Page({ settings }: { readonly settings: PageSettings }) {
  const { isPublic, demoKey, marketTimeZone, maxCandles } = settings;
  const [choices, setChoices] = useState(readChoices);
  const [watched, setWatched] = useState(readWatched);
  const [kept, setKept] = useState(readKey);
  const [quota, setQuota] = useState<Quota>();
  const [said, announce] = useState("");
  const [isLiveChosen, setLiveChosen] = useState(false);
  useRedraw(eachQuarterMinute);
  useRedraw(whenWidthChanges);
  const place = usePlace();
  const now = Date.now();
  const ownKey = kept.key ?? demoKey;
  const key = isPublic ? "" : ownKey;
  const keyNow = useRef(ownKey);
  keyNow.current = ownKey;
  // An answer to the key before tells nothing of this one.
  const access = useMemo(() => accessWith(key, BASE, { maxCandles, onQuota: (told, of) => of === keyNow.current && setQuota(told) }), [key]);
  const known = useMemo(() => createKnownMarket(() => fetchMarket(access, BASE), marketDayOf(marketTimeZone)), [access]);
  useRedraw(known.listen, known);
  const market = known.state();
  const marketAddress = useRef(addressOf("market"));
  if (place.view === "market") marketAddress.current = addressOf("market", undefined, place.query);
  const preferences = useMemo(() => preferencesOf(choices, languageOf(navigator.languages)), [choices]);
  const isFree = isPublic || (key !== undefined && key === demoKey);
  const isLive = isFree || (key !== undefined && isLiveChosen);

  const page: PageContext = {
    settings, place, preferences, baseUrl: BASE, market, known, now, announce, watched, ...access,
    format: useMemo(() => createFormat(preferences, marketTimeZone), [preferences]),
    marketAddress: marketAddress.current,
    live: { isOn: isLive, isFree, set: setLiveChosen },
    go(address) {
      location.hash = address;
    },
    replace(address) {
      history.replaceState(history.state, "", address);
      dispatchEvent(new Event("popstate"));
    },
    setKey(entered, keep = kept.keep) {
      setQuota(undefined);
      setKept({ key: entered, keep });
      keepKey({ key: entered, keep });
    },
    setPreferences(change) {
      const next = choose(choices, change);
      writeStored("preferences", next);
      setChoices(next);
    },
    watch(code) {
      const next = new Set(watched);
      if (!next.delete(code)) next.add(code);
      writeStored("watched", [...next]);
      setWatched(next);
    },
  };

  const wantsPrices = key !== undefined;
  useEffect(() => void (wantsPrices && market.summary === undefined && market.failure === undefined && known.load()), [known, wantsPrices]);
  useLive(isLive && wantsPrices, known.load);
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.lang = preferences.language;
    root.dir = preferences.language === "fa" ? "rtl" : "ltr";
    root.dataset["theme"] = preferences.theme;
  }, [preferences]);
  document.title = titleOf(page);

  return (
    <PageContextHolder.Provider value={page}>
      <a class="skip" href="#main" onClick={skipToMain}>{FRAME[preferences.language].skip}</a>
      <Header quota={quota} keep={kept.keep} />
      <SampleLine />
      <main id="main" tabIndex={-1}><ViewHere isWide={WIDE.matches} /></main>
      <Footer />
      <TabBar />
      <div class="visually-hidden" role="status">{said}</div>
    </PageContextHolder.Provider>
  );
}

function skipToMain(event: Event): void {
  event.preventDefault(); // the hash is the place, so `#main` must not get into it
  document.getElementById("main")!.focus();
}

function readWatched(): ReadonlySet<string> {
  const stored = readStored("watched");
  return new Set(Array.isArray(stored) ? stored.filter((code) => typeof code === "string") : []);
}

/** The place of the address, which moves on with it. A place that is gone to begins at its top with its heading; one that is gone back to, where it was left. */
function usePlace(): Place {
  const [href, setHref] = useState(location.href);
  const place = useMemo(() => placeOf(location.hash, location.pathname), [href]);
  const before = useRef({ place, href });
  const leftAt = useRef(new Map<string, { readonly focused: string | undefined; readonly scrollY: number }>());

  useEffect(() => {
    history.scrollRestoration = "manual"; // the browser's own memory does not know the other view's height
    const moved = (): void => {
      const isInside = document.getElementById("main")!.contains(document.activeElement);
      leftAt.current.set(before.current.href, { focused: isInside ? document.activeElement!.id : undefined, scrollY });
      setHref(location.href);
    };
    addEventListener("popstate", moved); // a click on a link to another hash is one, too
    return () => removeEventListener("popstate", moved);
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

/** Draws anew whenever it is told to. */
function useRedraw(listen: (redraw: () => void) => () => void, of?: unknown): void {
  const [, redraw] = useState({});
  useLayoutEffect(() => listen(() => redraw({})), [of]);
}

/** Ages grow by themselves. */
function eachQuarterMinute(redraw: () => void): () => void {
  const timer = setInterval(redraw, MINUTE_MS / 4);
  return () => clearInterval(timer);
}

function whenWidthChanges(redraw: () => void): () => void {
  WIDE.addEventListener("change", redraw);
  return () => WIDE.removeEventListener("change", redraw);
}

/** Asks anew each minute while the tab is in view, at once when it comes back after more than that, and when the connection does. */
function useLive(isOn: boolean, load: () => Promise<void>): void {
  useEffect(() => {
    if (!isOn) return;
    let asked = Date.now();
    const ask = (): void => {
      if (document.hidden || Date.now() - asked < MINUTE_MS) return;
      asked = Date.now();
      void load();
    };
    const again = (): void => void load();
    const timer = setInterval(ask, MINUTE_MS / 12);
    document.addEventListener("visibilitychange", ask);
    addEventListener("online", again);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", ask);
      removeEventListener("online", again);
    };
  }, [isOn, load]);
}
