import { PriceError } from "../../../client/mod.ts";
import type { CatalogEntry } from "../../../../core/mod.ts";
import { useEffect, useMemo } from "preact/hooks";
import { usePage } from "../context.ts";
import { LazyRail } from "../convert/lazy_rail.tsx";
import { FailureBox } from "../ui/failure_box.tsx";
import type { PageAsset } from "../../page_settings.ts";
import { ChartSection } from "./chart_section.tsx";
import { Coverage } from "./coverage.tsx";
import { latestDays } from "./days.ts";
import { DaysSection } from "./days_section.tsx";
import { Heading } from "./heading.tsx";
import { chosenWindow } from "./ranges.ts";
import { RequestLine } from "./request_line.tsx";
import { createScene, recordDays, supplyOf } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { Today } from "./today.tsx";
import { UnknownAsset } from "./unknown_asset.tsx";
import { useAnswer } from "./use_answer.ts";

/** The view of one asset: `#/asset/USD_RLS?interval=1h&range=1w`. */
export function View() {
  const { settings, place } = usePage();
  const asset = settings.assets.find(({ code }) => code === place.id?.toUpperCase());
  return asset === undefined ? <UnknownAsset /> : <AssetView key={asset.code} asset={asset} />;
}

function AssetView({ asset }: { readonly asset: PageAsset }) {
  const page = usePage();
  const scene = createScene(page, asset);
  return (
    <article class="asset">
      <Heading scene={scene} />
      <div class="asset-body">
        <div class="asset-main">
          {page.key === undefined ? <WithoutKey scene={scene} /> : <Records scene={scene} />}
        </div>
        <aside class="asset-rail">
          <Today scene={scene} />
          <LazyRail isWanted={page.market.rows.has(asset.code)} />
        </aside>
      </div>
    </article>
  );
}

/** What the server would say is said without asking it, and the call that a key makes possible is shown. */
function WithoutKey({ scene }: { readonly scene: Scene }) {
  const missing = useMemo(() => new PriceError({ code: "API_KEY_MISSING", status: 401, message: "An API key is required" }), []);
  return (
    <>
      <FailureBox thrown={missing} />
      <div class="sheet asset-calls"><RequestLine call={scene.questions.days(latestDays(scene.dayOf(Date.now()))).call} /></div>
    </>
  );
}

/** Chart, days and coverage, by the catalog entry of the asset. An opening costs three units, drawing it anew none. */
function Records({ scene }: { readonly scene: Scene }) {
  const { settings, known } = usePage();
  const { texts, questions, asset } = scene;
  const { outcome, retry } = useAnswer(questions.catalog);
  const entry: CatalogEntry<string> | undefined = outcome?.ok === true ? outcome.value.find(({ code }) => code === asset.code) : undefined;
  useEffect(() => {
    if (entry?.latestValue != null && entry.businessTime !== null) known.note({ code: entry.code, value: entry.latestValue, businessTime: entry.businessTime });
  }, [entry]);

  if (outcome === undefined) return <div class="sheet asset-chart"><div class="asset-canvas"><p class="loading">{texts.loading}</p></div></div>;
  if (!outcome.ok) return <FailureBox thrown={outcome.error} retry={retry} />;
  if (entry === undefined) return <p>{texts.notListed}</p>;
  const supply = supplyOf(entry, settings.maxCandles);
  if (supply === undefined) return <><p class="ask">{texts.noRecord}</p><Coverage scene={scene} entry={entry} /></>;
  return (
    <>
      <ChartSection scene={scene} supply={supply} window={chosenWindow(scene.choice, supply)} />
      <DaysSection scene={scene} records={recordDays(supply, scene.dayOf)} />
      <Coverage scene={scene} entry={entry} />
    </>
  );
}
