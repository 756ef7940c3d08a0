import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { PriceError } from "../../client/mod.ts";
import type { PageSettings } from "../page_settings.ts";
import { nameOf, unitOf } from "./format_values.ts";
import { Footer, Header, SampleLine, serviceName, TabBar } from "./header/frame.tsx";
import { boardOf } from "./market/price_tiles.tsx";
import { MarketView } from "./market/view.tsx";
import type { Place } from "./page_addresses.ts";
import { type PageContext, PageContextHolder, usePage, usePageState } from "./page_context.ts";
import { FailureBox } from "./ui/failure_box.tsx";

/** The market comes with the first load; each other view is a file of its own. */
const VIEWS: Readonly<Record<Place["view"], ComponentType>> = {
  market: MarketView,
  asset: lazily(() => import("./asset/view.tsx")),
  coins: lazily(() => import("./coins/view.tsx")),
  convert: lazily(() => import("./convert/view.tsx")),
};
const FirstRun = lazily(() => import("./market/first_run.tsx"));

/** The whole page, as long as it is open. */
export function Page({ settings }: { readonly settings: PageSettings }) {
  const page = usePageState(settings);
  const {
    preferences: { language, theme },
    texts,
    said,
  } = page;
  const root = document.documentElement;
  root.lang = language;
  root.dir = language === "fa" ? "rtl" : "ltr";
  root.dataset["theme"] = theme;
  document.title = titleOf(page);

  return (
    <PageContextHolder.Provider value={page}>
      <a class="skip" href="#main" onClick={skipToMain}>
        {texts.skip}
      </a>
      <Header />
      <SampleLine />
      <main id="main" tabIndex={-1}>
        <ViewHere />
      </main>
      <Footer />
      <TabBar />
      <div class="visually-hidden" role="status">
        {said}
      </div>
    </PageContextHolder.Provider>
  );
}

/** The title of the document, e.g. `1,985,528 rial US Dollar (USD_RLS) – Mazaneh`: with the price, so that a tab in the background is of use. */
function titleOf(page: PageContext): string {
  const {
    place: { view, id },
    settings: { assets, isSample },
    preferences: { language },
    texts,
    format,
    market,
  } = page;
  const asset = view === "asset" ? assets.find(({ code }) => code === id) : undefined;
  const latest = asset && market.rows.get(asset.code);
  const price = latest === undefined ? "" : `${format.price(latest.value, unitOf(asset!))} `;
  const ofAsset = asset === undefined ? id : `${price}${nameOf(asset, language)} (${asset.code})`;
  const here = view === "asset" ? ofAsset : texts[view];
  return `${here} – ${serviceName(page)}${isSample ? ` (${texts.sampleMark})` : ""}`;
}

function skipToMain(event: Event): void {
  event.preventDefault(); // the hash is the place, so `#main` must not get into it
  document.getElementById("main")!.focus();
}

/** The view of the place. Where there is room for both, the market stays beside the asset, whose address a click in it changes. */
function ViewHere() {
  const page = usePage();
  const { place, settings, market, isWide } = page;
  const View = VIEWS[place.view];
  if (place.view === "market" && settings.isEmpty && market.rows.size === 0) return <FirstRun />;
  if (!isWide || (place.view !== "market" && place.view !== "asset")) return <View />;
  const asset: Place =
    place.view === "asset"
      ? place
      : { view: "asset", id: boardOf(settings.assets, market.rows)[0]?.code, query: new URLSearchParams() };
  return (
    <div class="panes">
      <MarketView />
      <PageContextHolder.Provider value={{ ...page, place: asset }}>
        <VIEWS.asset />
      </PageContextHolder.Provider>
    </div>
  );
}

/** A view that is loaded when it is first shown. A load that failed may be tried anew: the server was away, or another version of it has files of other names. */
function lazily(load: () => Promise<{ readonly View: ComponentType }>): ComponentType {
  let Found: ComponentType | undefined;
  return function Lazy() {
    const { texts, announce } = usePage();
    const [, redraw] = useState({});
    const [thrown, setThrown] = useState<PriceError>();

    function start(): void {
      setThrown(undefined);
      announce(texts.loading);
      load().then(
        ({ View }) => {
          Found = View;
          redraw({});
        },
        (cause: unknown) => setThrown(new PriceError({ code: "FILE_NOT_LOADED", status: 0, message: String(cause) })),
      );
    }
    useEffect(() => void (Found === undefined && start()), []);
    if (Found !== undefined) return <Found />;
    return thrown === undefined ? <p class="loading">{texts.loading}</p> : <FailureBox thrown={thrown} retry={start} />;
  };
}
