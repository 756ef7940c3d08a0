import { useEffect } from "preact/hooks";
import { parseDate } from "../../../../core/internal.ts";
import type { PageAsset } from "../../page_settings.ts";
import { usePage } from "../context.ts";
import { LazyRail } from "../convert/lazy_rail.tsx";
import { marketDayOf } from "../market_day.ts";
import { fill, textsIn } from "../texts.ts";
import { FailureBox } from "../ui/failure_box.tsx";
import { catalogCall } from "./calls.ts";
import { ChartSection } from "./chart_section.tsx";
import { DaysSection } from "./days_section.tsx";
import { Heading, Today } from "./facts.tsx";
import { ASSET } from "./messages.ts";
import { useScene } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { useAnswers } from "./use_answers.ts";

/** The view of one asset: `#/asset/USD_RLS?interval=1h&range=1w`. */
export function View() {
  const { settings, place } = usePage();
  const asset = settings.assets.find(({ code }) => code === place.id?.toUpperCase());
  return asset === undefined ? <UnknownAsset id={place.id ?? ""} /> : <AssetView key={asset.code} asset={asset} />;
}

function AssetView({ asset }: { readonly asset: PageAsset }) {
  const scene = useScene(asset);
  return (
    <article class="asset">
      <Heading scene={scene} />
      <div class="asset-body">
        <div class="asset-main"><Records scene={scene} /></div>
        <aside class="asset-rail">
          <Today scene={scene} />
          <LazyRail isWanted={scene.latest !== undefined} />
        </aside>
      </div>
    </article>
  );
}

/** Chart and days, by the catalog entry of the asset. An opening costs three units, drawing it anew none. */
function Records({ scene }: { readonly scene: Scene }) {
  const { settings, known, format } = usePage();
  const { texts, asset, version } = scene;
  const { answers: [entries], thrown, retry } = useAnswers([catalogCall(asset)], version);
  const entry = entries?.find(({ code }) => code === asset.code);
  useEffect(() => {
    if (entry?.latestValue != null && entry.businessTime !== null) known.note({ code: entry.code, value: entry.latestValue, businessTime: entry.businessTime });
  }, [entry]);

  if (thrown !== undefined) return <FailureBox thrown={thrown.error} retry={retry} />;
  if (entries === undefined) return <div class="sheet asset-chart"><p class="asset-canvas loading">{texts.loading}</p></div>;
  if (!entry?.businessTime) return <p class="ask">{texts.noRecord}</p>;
  const [first, last] = [entry.ohlcAvailableFrom ?? entry.businessTime, entry.businessTime].map((time) => Date.parse(time));
  const [from, to] = [first!, last!].map((time) => parseDate(marketDayOf(settings.marketTimeZone)(time))!);
  const sources = [entry.providers.join(", "), entry.qualityStatus, entry.qualityMessage].filter((text) => text !== null && text !== "");
  return (
    <>
      <ChartSection scene={scene} supply={{ first: first!, last: last!, maxCandles: settings.maxCandles }} />
      <DaysSection scene={scene} records={{ from: from!, to: to! }} />
      <p class="small asset-source">{fill(texts.since, { day: format.date(from!) })}{sources.length > 0 && <> · {texts.providers} <bdi>{sources.join(", ")}</bdi></>}</p>
    </>
  );
}

/** What is shown for a code that is in no catalog. */
function UnknownAsset({ id }: { readonly id: string }) {
  const { preferences, marketAddress } = usePage();
  const texts = textsIn(ASSET, preferences.language);
  return (
    <article class="asset">
      <h1>{fill(texts.unknownTitle, { code: id })}</h1>
      <p>{texts.unknownText}</p>
      <p><a href={marketAddress}>{texts.back}</a></p>
    </article>
  );
}
