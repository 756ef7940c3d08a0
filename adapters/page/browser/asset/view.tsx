import { useRef } from "preact/hooks";
import type { PageAsset } from "../../page_settings.ts";
import { LazyRail } from "../convert/lazy_rail.tsx";
import { nameOf, unitOf } from "../format_values.ts";
import { isStale } from "../market/known_market.ts";
import { Change, Difference, Price } from "../market/price_numbers.tsx";
import { addressOf } from "../page_addresses.ts";
import { usePage } from "../page_context.ts";
import { fill } from "../texts.ts";
import { AskForKey, FailureBox, Missing } from "../ui/failure_box.tsx";
import { Icon } from "../ui/icon.tsx";
import { TEXTS } from "./built_texts.ts";
import { ChartSection } from "./chart_section.tsx";
import { DaysSection } from "./days_section.tsx";
import { parseChoice } from "./range_choice.ts";

/** The view of one asset: `#/asset/USD_RLS?interval=1h&range=1w`. */
export function View() {
  const {
    settings,
    place: { id = "" },
    preferences,
    marketAddress,
    texts: page,
  } = usePage();
  const asset = settings.assets.find(({ code }) => code === id);
  if (asset !== undefined) return <AssetView key={asset.code} asset={asset} />;
  const texts = TEXTS[preferences.language];
  return (
    <article class="asset">
      <h1>{fill(texts.unknownTitle, { code: id })}</h1>
      <p>
        {texts.unknownText} <a href={marketAddress}>{page.market}</a>
      </p>
    </article>
  );
}

/** What all parts of the view are drawn from: the page, and what is known of the asset before any answer. */
export type Scene = ReturnType<typeof useScene>;

function useScene(asset: PageAsset) {
  const page = usePage();
  const latest = page.market.rows.get(asset.code);
  const { language } = page.preferences;
  return {
    ...page,
    asset,
    latest,
    language,
    unit: unitOf(asset),
    name: nameOf(asset, language),
    texts: { ...page.texts, ...TEXTS[language] },
    /** Names the latest record where asking is free, so that what was asked for an earlier one is asked for anew. */
    version: (page.live.isFree && latest?.businessTime) || "",
    choice: parseChoice(page.place.query),
    /** Changes the query of the address, without an entry in the history; an empty text takes a part away. */
    choose(change: Readonly<Record<string, string>>): void {
      const query = Object.entries({ ...Object.fromEntries(page.place.query), ...change }).filter(
        ([, value]) => value !== "",
      );
      page.replace(addressOf("asset", asset.code, Object.fromEntries(query)));
    },
  };
}

function AssetView({ asset }: { readonly asset: PageAsset }) {
  const scene = useScene(asset);
  return (
    <article class="asset">
      <Heading scene={scene} />
      <div class="asset-body">
        <div class="asset-main">
          <Records scene={scene} />
        </div>
        <aside class="asset-rail">
          <Today scene={scene} />
          {scene.latest !== undefined && <LazyRail />}
        </aside>
      </div>
    </article>
  );
}

/** Chart and days, which end with the latest record. An opening costs two units, drawing it anew none. */
function Records({ scene }: { readonly scene: Scene }) {
  const {
    asset: { code, category },
    name,
    texts,
    latest,
    version,
    market,
    known,
    key,
    isWide,
  } = scene;
  const first = useRef(latest?.businessTime);
  first.current ??= latest?.businessTime;
  if (first.current !== undefined) {
    const last = Date.parse(version || first.current); // where asking costs, it stays
    return (
      <>
        <ChartSection scene={scene} last={last} />
        <DaysSection scene={scene} last={last} />
      </>
    );
  }
  if (market.summary !== undefined) {
    return (
      <Missing icon="clock" title={fill(texts.noRecord, { name })} text={fill(texts.noRecordText, { code })}>
        <p class="acts">
          <WatchButton scene={scene} />{" "}
          <a href={addressOf("market", undefined, { category })}>{texts.groups[category]}</a>
        </p>
      </Missing>
    );
  }
  if (key === undefined) return isWide ? null : <AskForKey id="asset-key" />; // the market beside it asks already
  if (market.failure !== undefined) return <FailureBox thrown={market.failure} retry={() => void known.load()} />;
  return (
    <div class="sheet asset-chart">
      <p class="asset-canvas loading">{texts.loading}</p>
    </div>
  );
}

/** Where this is, what the asset is called, its latest value with unit, change and age. */
function Heading({ scene }: { readonly scene: Scene }) {
  const { asset, name, latest, texts, marketAddress } = scene;
  return (
    <header class="asset-head">
      <nav class="asset-trail small" aria-label={texts.trail}>
        <a href={marketAddress}>{texts.market}</a> <span aria-hidden="true">/</span>{" "}
        <a href={addressOf("market", undefined, { category: asset.category })}>{texts.groups[asset.category]}</a>
      </nav>
      <div class="asset-name">
        <h1>{name}</h1> <code dir="ltr">{asset.code}</code>
      </div>
      <Latest scene={scene} />
      {latest !== undefined && <WatchButton scene={scene} />}
    </header>
  );
}

function WatchButton({
  scene: {
    asset: { code },
    texts,
    watched,
    watch,
  },
}: {
  readonly scene: Scene;
}) {
  const isWatched = watched.has(code);
  return (
    <button
      type="button"
      id="asset-watch"
      class={isWatched ? "watching" : undefined}
      aria-pressed={isWatched}
      aria-label={texts.watch}
      onClick={() => watch(code)}
    >
      <Icon name="star" filled={isWatched} /> <span class="wide-only">{isWatched ? texts.watching : texts.watch}</span>
    </button>
  );
}

function Latest({ scene: { latest, unit, texts, format, now, settings, live } }: { readonly scene: Scene }) {
  if (latest === undefined) return <p class="asset-value"> </p>;
  const stale = isStale(latest, now, settings.staleThresholdMinutes);
  return (
    <p class={stale ? "asset-value stale" : "asset-value"}>
      <strong>
        <Price value={latest.value} unit={unit} />
      </strong>{" "}
      <span class="asset-unit">{format.unitName(unit)}</span> {!stale && latest.before && <Change latest={latest} />}{" "}
      {!stale && latest.before && (
        <span class="none">
          <Difference latest={latest} unit={unit} /> <span class="wide-only">{texts.sinceYesterday}</span>
        </span>
      )}{" "}
      <span class={stale ? "asset-age stale-age" : "asset-age none"}>
        {stale ? <Icon name="clock" /> : <span class={live.isOn ? "dot" : "dot off"} />}{" "}
        <time dateTime={latest.businessTime}>
          {format.age(Date.parse(latest.businessTime), now)}
          <span class={stale ? undefined : "wide-only"}> · {format.dateTime(latest.businessTime)}</span>
        </time>
      </span>
    </p>
  );
}

/** The market day so far, and where the last one ended. */
function Today({ scene: { unit, texts, latest, format } }: { readonly scene: Scene }) {
  if (latest?.day == null) return null;
  const { open, high, low, count } = latest.day;
  const values = {
    [texts.open]: open,
    [texts.high]: high,
    [texts.low]: low,
    ...(latest.before && { [texts.yesterday]: latest.before.value }),
  };
  return (
    <section class="sheet card">
      <h2>
        {texts.today} <span class="small">{fill(texts.records, { count: format.number(count) })}</span>
      </h2>
      <dl>
        {Object.entries(values).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>{" "}
            <dd>
              <bdi class="n" dir="ltr">
                {format.priceNumber(value, unit)}
              </bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
