import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageSettings } from "../page_settings.ts";
import { accessWith, keepKey, readKey } from "./access.ts";
import type { KeyKeep, Storages } from "./access.ts";
import { PageContextHolder } from "./context.ts";
import type { PageContext } from "./context.ts";
import { explain, failureOf } from "./failures.ts";
import { createFormat } from "./format.ts";
import { Footer, Header, SampleLine, TabBar } from "./header/frame.tsx";
import { closeKeyPanel } from "./header/key_panel.tsx";
import type { KeyState } from "./header/key_panel.tsx";
import { FRAME } from "./header/messages.ts";
import { marketDayOf } from "./market_day.ts";
import { fetchMarket } from "./market/load.ts";
import { createKnownMarket } from "./market/known.ts";
import { addressOf, placeOf } from "./places.ts";
import type { Place } from "./places.ts";
import { choose, languageOf, preferencesOf, readChoices, writeChoices } from "./preferences.ts";
import { titleOf } from "./titles.ts";
import { ViewAt } from "./views.tsx";

const STORAGES: Storages = { tab: () => sessionStorage, device: () => localStorage };
const MINUTE_MS = 60_000;
const UNKNOWN: KeyState = { quota: undefined, problem: undefined };

/** The whole page. It holds what changes while it is open: place, preferences, key, and what is known of prices. */
export function Page({ settings }: { readonly settings: PageSettings }) {
  const baseUrl = useMemo(() => new URL(".", location.href).href.replace(/\/$/, ""), []);
  const accepted = useMemo(() => languageOf(navigator.languages), []);
  const [choices, setChoices] = useState(() => readChoices(() => localStorage));
  const [kept, setKept] = useState(() => readKey(STORAGES));
  const [keyState, setKeyState] = useState(UNKNOWN);
  const [said, announce] = useState("");
  const [isLiveChosen, setLiveChosen] = useState(false);
  const key = kept.key ?? settings.demoKey;
  const access = useMemo(() => accessWith(key, baseUrl, {
    maxCandles: settings.maxCandles,
    onQuota: (quota, of) => of === keyNow.current && setKeyState((state) => ({ ...state, quota })), // an answer to the key before tells nothing of this one
  }), [key]);
  const keyNow = useRef(key);
  keyNow.current = key;
  const known = useMemo(() => createKnownMarket(() => fetchMarket(access), marketDayOf(settings.marketTimeZone)), [access]);
  const market = useListened(known);
  const place = usePlace();
  const now = useClock();
  const marketAddress = useRef(addressOf("market"));
  if (place.view === "market") marketAddress.current = addressOf("market", undefined, place.query);
  const preferences = useMemo(() => preferencesOf(choices, accepted), [choices]);
  const isFree = key !== undefined && key === settings.demoKey;
  const isLive = key !== undefined && (isFree || isLiveChosen);

  const page: PageContext = {
    settings, place, preferences, baseUrl, market, known, now, announce, ...access,
    format: useMemo(() => createFormat(preferences, settings.marketTimeZone), [preferences]),
    marketAddress: marketAddress.current,
    live: { isOn: isLive, isFree, set: setLiveChosen },
    go(address) {
      location.hash = address;
    },
    replace(address) {
      history.replaceState(history.state, "", address);
      dispatchEvent(new Event("hashchange"));
    },
    setKey(entered) {
      setKeyState(UNKNOWN);
      setKept((before) => ({ key: entered, keep: entered === undefined ? "tab" : before.keep }));
      if (entered === undefined) keepKey(STORAGES, { key: undefined, keep: "tab" });
      else void checkKey(entered);
    },
    setPreferences(change) {
      const next = choose(choices, change, accepted);
      writeChoices(() => localStorage, next);
      setChoices(next);
    },
  };

  /** Asks for the plan, which costs nothing, so that a mistyped key shows at once, and only one that works is kept. */
  async function checkKey(entered: string): Promise<void> {
    const { language } = preferences;
    try {
      await accessWith(entered, baseUrl, { maxCandles: settings.maxCandles, onQuota: () => {} }).client.access();
      if (keyNow.current !== entered) return;
      setKept((now) => (keepKey(STORAGES, now), now));
      closeKeyPanel();
      announce(FRAME[language].accepted);
    } catch (thrown) {
      if (keyNow.current !== entered) return;
      const { title, text } = explain(failureOf(thrown), { language, format: page.format, now: Date.now() });
      setKeyState((state) => ({ ...state, problem: `${title}. ${text}` }));
    }
  }

  function setKeep(keep: KeyKeep): void {
    setKept({ ...kept, keep });
    if (kept.key !== undefined && keyState.problem === undefined) keepKey(STORAGES, { ...kept, keep });
  }

  const wantsPrices = key !== undefined;
  useEffect(() => void (wantsPrices && market.summary === undefined && market.failure === undefined && known.load()), [known, wantsPrices]);
  useLive(isLive && wantsPrices, known.load);
  useLayoutEffect(() => {
    const root = document.documentElement;
    root.lang = preferences.language;
    root.dir = preferences.language === "fa" ? "rtl" : "ltr";
    root.dataset["theme"] = preferences.theme;
  }, [preferences]);
  const latest = place.view === "asset" ? market.rows.get(place.id ?? "") : undefined;
  document.title = titleOf(place, { settings, language: preferences.language, format: page.format, value: latest?.value });

  return (
    <PageContextHolder.Provider value={page}>
      <a class="skip" href="#main" onClick={skipToMain}>{FRAME[preferences.language].skip}</a>
      <Header keyState={keyState} keep={kept.keep} setKeep={setKeep} />
      <SampleLine />
      <main id="main" tabIndex={-1}><ViewAt place={place} /></main>
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

/** The place of the address, which moves on with it. A place that is gone to begins at its top with its heading; one that is gone back to, where it was left. */
function usePlace(): Place {
  const [hash, setHash] = useState(location.hash);
  const place = useMemo(() => placeOf(hash), [hash]);
  const shown = useRef({ place, hash });
  const leftAt = useRef(new Map<string, { readonly focused: string | undefined; readonly scrollY: number }>());

  useEffect(() => {
    history.scrollRestoration = "manual"; // the browser's own memory does not know the other view's height
    const moved = (): void => {
      const isInside = document.getElementById("main")!.contains(document.activeElement);
      leftAt.current.set(shown.current.hash, { focused: isInside ? document.activeElement!.id : undefined, scrollY });
      if (history.state === null) leftAt.current.delete(location.hash); // a new entry of the history; going back leads to one with a state
      if (history.state === null) history.replaceState("drawn", "");
      setHash(location.hash);
    };
    if (history.state === null) history.replaceState("drawn", "");
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);

  useLayoutEffect(() => {
    const before = shown.current.place;
    shown.current = { place, hash };
    if (before.view === place.view && before.id === place.id) return;
    const { focused, scrollY: y } = leftAt.current.get(hash) ?? { focused: undefined, scrollY: 0 };
    const main = document.getElementById("main")!;
    const heading = main.querySelector("h1") ?? main;
    heading.setAttribute("tabindex", "-1");
    (document.getElementById(focused ?? "") ?? heading).focus({ preventScroll: true });
    scrollTo(0, y);
  }, [place]);
  return place;
}

/** The present moment; the page is drawn anew four times a minute, so that ages grow by themselves. */
function useClock(): number {
  const [, redraw] = useState({});
  useEffect(() => {
    const timer = setInterval(() => redraw({}), MINUTE_MS / 4);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}

/** The state of what is known, drawn anew with each change. */
function useListened(known: ReturnType<typeof createKnownMarket>): PageContext["market"] {
  const [, redraw] = useState({});
  useLayoutEffect(() => known.listen(() => redraw({})), [known]);
  return known.state();
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
