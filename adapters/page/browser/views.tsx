import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { PageContextHolder, usePage } from "./context.ts";
import { loadFile } from "./load_file.ts";
import { boardOf } from "./market/board.tsx";
import { MarketView } from "./market/view.tsx";
import type { Place } from "./places.ts";
import { FailureBox } from "./ui/failure_box.tsx";

/** The market comes with the first load; each other view is a file of its own. */
const VIEWS: Readonly<Record<Place["view"], ComponentType>> = {
  market: MarketView,
  asset: lazily(() => import("./asset/view.tsx")),
  coins: lazily(() => import("./coins/view.tsx")),
  convert: lazily(() => import("./convert/view.tsx")),
};
const FirstRun = lazily(() => import("./market/first_run.tsx"));

/** The view of the place. Where there is room for both, the market stays beside the asset, whose address a click in it changes. */
export function ViewHere() {
  const page = usePage();
  const { place, settings, market, isWide } = page;
  const View = VIEWS[place.view];
  if (place.view === "market" && settings.isEmpty && market.rows.size === 0) return <FirstRun />;
  if (!isWide || (place.view !== "market" && place.view !== "asset")) return <View />;
  const asset: Place = place.view === "asset" ? place : { view: "asset", id: boardOf(settings.assets, market.rows)[0]?.code, query: new URLSearchParams() };
  return (
    <div class="panes">
      <MarketView />
      <PageContextHolder.Provider value={{ ...page, place: asset }}><VIEWS.asset /></PageContextHolder.Provider>
    </div>
  );
}

/** A view that is loaded when it is first shown. A load that failed is tried anew. */
function lazily(load: () => Promise<{ readonly View: ComponentType }>): ComponentType {
  let Found: ComponentType | undefined;
  return function Lazy() {
    const { texts, announce } = usePage();
    const [outcome, setOutcome] = useState<{ readonly thrown?: unknown }>();

    function start(): void {
      setOutcome(undefined);
      announce(texts.loading);
      loadFile(load).then(({ View }) => (Found = View, setOutcome({})), (thrown: unknown) => setOutcome({ thrown }));
    }
    useEffect(() => void (Found === undefined && start()), []);
    if (Found !== undefined) return <Found />;
    return outcome === undefined ? <p class="loading">{texts.loading}</p> : <FailureBox thrown={outcome.thrown} retry={start} />;
  };
}
