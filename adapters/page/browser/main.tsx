import { type FunctionComponent, render } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { PriceError } from "../../../core/client_entry.ts";
import { addressOf, docsAddress, type Place, placeOf, shownAddress } from "./data/addresses.ts";
import { nameOf, serviceName, unitOf } from "./data/format.ts";
import { boardOf } from "./data/market_entries.ts";
import * as state from "./data/state.ts";
import { Frame, type FrameProps, SampleLine } from "./parts/frame.tsx";
import { HeaderTools } from "./parts/header_tools.tsx";
import { FailureBox, OfflineNotice } from "./parts/lazy_parts.tsx";
import { MarketView } from "./views/market.tsx";

const { settings, baseUrl } = state;

const viewsStyle = document.querySelector<HTMLLinkElement>("link[media=print]")!;

type ViewProps = Pick<Place, "id" | "query">;

const AssetView = lazily(() => import("./views/asset.tsx"));
/** The market is loaded with the page. Each of the other views is a separate file, which is loaded on demand. */
const VIEWS: Readonly<Record<Place["view"], FunctionComponent<ViewProps>>> = {
  market: MarketView,
  asset: AssetView,
  coins: lazily(() => styled(import("./views/coins.tsx"))),
  gold: lazily(() => styled(import("./views/gold.tsx"))),
  convert: lazily(() => import("./views/convert.tsx")),
};
const PastDay = lazily(() => styled(import("./views/past_day.tsx")));
const FirstRun = lazily(() => styled(import("./views/first_run.tsx")));

function Page() {
  const language = state.language.value;
  const { view } = state.place.value;
  const root = document.documentElement;
  root.lang = language;
  root.dir = language === "fa" ? "rtl" : "ltr";
  root.dataset["theme"] = state.preferences.value.theme;
  document.title = title().replace(/[\u202a-\u202e\u2066-\u2069]/g, ""); // a name must not turn the text after it around
  usePlaces();

  const guide = `${baseUrl}/${docsAddress("guide", language, { id: "sample" })}`;
  const { bring, times } = state.texts.value;
  const hrefOf: FrameProps["hrefOf"] = (to) =>
    to === "reference" || to === "guide" ? `${baseUrl}/${docsAddress(to, language)}` : addressOf(to);
  return (
    <Frame
      language={language}
      view={view}
      service={serviceName(settings.application, language)}
      root={`${baseUrl}/`}
      hrefOf={hrefOf}
      skip={skipToMain}
      toConverter={skipToConverter}
      tools={<HeaderTools />}
      sampleLine={settings.isSample && <SampleLine language={language} more={<a href={guide}>{bring}</a>} />}
      times={<span>{`${times} ${state.format.value.marketZone()}`}</span>}
      version={settings.version && <bdi dir="ltr">mazaneh {settings.version}</bdi>}
    >
      <main id="main" tabIndex={-1} class={state.isOffline.value ? "old" : undefined}>
        <CurrentView />
      </main>
      <div class="visually-hidden" role="status">
        {state.announcement}
      </div>
    </Frame>
  );
}

/** The title of the document, with the price: `1,985,528 rial US Dollar (USD_RLS) – Mazaneh`. */
function title(): string {
  const { view, id } = state.place.value;
  const texts = state.texts.value;
  const language = state.language.value;
  const asset = view === "asset" ? settings.assets.find(({ code }) => code === id) : undefined;
  const latest = asset && state.rows.value.get(asset.code);
  const { price: write, date } = state.format.value;
  const past = state.shownDay.value;
  let price = latest === undefined ? "" : `${write(latest.value, unitOf(asset!))} `;
  if (past !== undefined) price = `${date(past)} · `;
  const ofAsset = asset === undefined ? id : `${price}${nameOf(asset, language)} (${asset.code})`;
  const here = view === "asset" ? ofAsset : texts[view];
  const mark = settings.isSample ? ` (${texts.sampleMark})` : "";
  return `${here} – ${serviceName(settings.application, language)}${mark}`;
}

function skipToMain(event: Event): void {
  event.preventDefault(); // the link's `#main` would replace the hash of the view in the address
  document.getElementById("main")!.focus();
}

/** Focuses the converter beside the view. If no converter is visible, the link opens the converter's view. */
function skipToConverter(event: Event): void {
  const fields = document.querySelectorAll<HTMLElement>(".converter input");
  const shown = [...fields].find((field) => field.checkVisibility());
  if (shown === undefined) return;
  event.preventDefault();
  shown.focus();
}

/** At a new place, scrolls to the top and focuses the heading. Going back restores the scroll position. */
function usePlaces(): void {
  const place = state.place.value;
  const before = useRef({ place, href: location.href });
  const leftAt = useRef(new Map<string, { readonly focused: string | undefined; readonly scrollY: number }>());

  useEffect(() => {
    history.scrollRestoration = "manual"; // the browser would restore the position before the view has its full height
    addEventListener("popstate", () => {
      // a click on a link to another hash also fires this event
      const focused = document.activeElement?.closest("#main *")?.id;
      leftAt.current.set(before.current.href, { focused, scrollY });
      if (location.href !== before.current.href) state.place.value = placeOf(location.hash, location.pathname);
    });
  }, []);

  useLayoutEffect(() => {
    const left = before.current.place;
    const isNew = history.state === null; // only a new history entry has no state yet
    history.replaceState("drawn", "", baseUrl + shownAddress(place, location.hash));
    before.current = { place, href: location.href };
    if (left.view === place.view && left.id === place.id) return;
    const main = document.getElementById("main")!;
    // If the market is beside the asset, only the asset changes, and the list keeps its scroll position.
    if (main.querySelector(".panes")?.contains(document.activeElement)) return;
    const { focused = "", scrollY: y } = (isNew ? undefined : leftAt.current.get(location.href)) ?? { scrollY: 0 };
    const heading = main.querySelector("h1") ?? main;
    heading.setAttribute("tabindex", "-1");
    (document.getElementById(focused) ?? heading).focus({ preventScroll: true });
    scrollTo(0, y);
  }, [place]);
}

/** The view for the place. On a wide screen, the market is beside the asset, and clicks there change the asset. */
function CurrentView() {
  const { view, id, query } = state.place.value;
  const rows = state.rows.value;
  const View = VIEWS[view];
  if (view === "market" && settings.isEmpty && rows.size === 0) return <FirstRun id={id} query={query} />;
  if (view === "market" && settings.isPublic && query.has("day")) return <PastDay id={id} query={query} />;
  if (!state.isWide.value || (view !== "market" && view !== "asset"))
    return (
      <>
        {view !== "market" && <OfflineNotice />}
        <View id={id} query={query} />
      </>
    );
  const beside = view === "asset" ? { id, query } : { id: boardOf(settings.assets, rows)[0]?.code, query: NO_QUERY };
  return (
    <div class="panes">
      <MarketView />
      <AssetView {...beside} />
    </div>
  );
}

const NO_QUERY = new URLSearchParams();

let moreStyle: Promise<unknown> | undefined;

/** Waits for a view and for the style sheet that several views share. */
async function styled<Module>(view: Promise<Module>): Promise<Module> {
  moreStyle ??= new Promise((onload, onerror) => {
    const { more } = viewsStyle.dataset;
    document.head.append(
      Object.assign(document.createElement("link"), { rel: "stylesheet", href: more!, onload, onerror }),
    );
  });
  moreStyle.catch(() => (moreStyle = undefined)); // a retry requests the style sheet again
  const [module] = await Promise.all([view, moreStyle]);
  return module;
}

/** A view that is loaded on first display. If loading fails, e.g. because the server is down, it can be retried. */
function lazily(load: () => Promise<{ readonly View: FunctionComponent<ViewProps> }>): FunctionComponent<ViewProps> {
  let Loaded: FunctionComponent<ViewProps> | undefined;
  return function Lazy(props) {
    const [, redraw] = useState({});
    const [thrown, setThrown] = useState<PriceError>();
    const { loading } = state.texts.value;

    async function start(): Promise<void> {
      try {
        Loaded = (await load()).View;
        redraw({});
      } catch (cause) {
        setThrown(new PriceError({ code: "FILE_NOT_LOADED", status: 0, message: String(cause) }));
      }
      state.announce("");
    }
    useEffect(() => {
      if (Loaded !== undefined) return;
      state.announce(loading);
      void start();
    }, []);
    if (Loaded !== undefined) return <Loaded {...props} />;
    if (thrown !== undefined) return <FailureBox thrown={thrown} retry={() => void start()} />;
    return <p class="loading">{loading}</p>;
  };
}

// This style sheet was loaded for print only, so that the first view did not wait for it. Now it is for all media.
viewsStyle.media = "all";
state.keepCurrent();
// If this fails, the file is loaded when it is first needed.
addEventListener("load", () => import("./parts/failure_box.tsx").catch(() => undefined));
render(<Page />, document.body.appendChild(document.createElement("div")));
