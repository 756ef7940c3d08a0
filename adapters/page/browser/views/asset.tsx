import type { ComponentChildren, TargetedEvent } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import type { PageAsset } from "../../page_settings.ts";
import { addressOf, type Place } from "../data/addresses.ts";
import * as state from "../data/state.ts";
import { Card } from "../parts/card.tsx";
import { icon } from "../parts/icons.tsx";
import { afterwards, FailureBox, useLazy } from "../parts/lazy_parts.tsx";
import { Age, num, Percent, Price, useStale } from "../parts/numbers.tsx";
import { AskForKey, Missing } from "../parts/problems.tsx";
import { TEXTS } from "../texts/built_asset.ts";
import { fill } from "../texts/fill.ts";
import { ChartSection } from "./asset_chart.tsx";
import { DaysSection } from "./asset_days.tsx";
import { type Scene, spokenChange, useScene } from "./asset_scene.ts";
import { LazyRail } from "./market.tsx";

const { settings } = state;

/** The view of one asset: `#/asset/USD_RLS?interval=1h&range=1w`. */
export function View({ id = "", query }: Pick<Place, "id" | "query">) {
  const asset = settings.assets.find(({ code }) => code === id);
  if (asset !== undefined) return <AssetView key={id} asset={asset} query={query} />;
  const { unknownTitle, unknownText } = TEXTS[state.language.value];
  return (
    <article class="asset">
      <h1>{fill(unknownTitle, { code: id })}</h1>
      <p>
        {unknownText} <a href={state.marketAddress.value}>{state.texts.value.market}</a>
      </p>
    </article>
  );
}

const LazyBubble = afterwards(() => import("./asset_bubble.tsx").then(({ Bubble }) => Bubble));

function AssetView({ asset, query }: { readonly asset: PageAsset; readonly query: URLSearchParams }) {
  const scene = useScene(asset, query);
  usePastDay(scene);
  const isPiece = asset.category === "COIN" || asset.category === "GOLD";
  return (
    <article class="asset">
      <Heading {...scene} />
      <div class="asset-body">
        <div class="asset-main">
          <Records {...scene} />
        </div>
        <aside class="asset-rail">
          <Today {...scene} />
          {isPiece && scene.moment.past === undefined && <LazyBubble {...scene} />}
          {scene.latest !== undefined && <LazyRail code={asset.code} day={scene.moment.past ?? ""} />}
        </aside>
      </div>
    </article>
  );
}

/** Escape goes back from a past day to now. When the price of a day is loaded, screen readers announce the day. */
function usePastDay({ moment: { past, value }, latest, unit, texts, chooseDay }: Scene): void {
  const { date, price } = state.format.value;
  useEffect(() => {
    state.shownDay.value = past;
    return () => (state.shownDay.value = undefined);
  }, [past]);
  useEffect(() => {
    if (past === undefined) return;
    const leave = ({ key, target }: KeyboardEvent): void => {
      const isElsewhere = document.querySelector(":popover-open") ?? (target as Element).closest(".top"); // search and panels
      if (key === "Escape" && isElsewhere === null) chooseDay("");
    };
    addEventListener("keydown", leave);
    return () => removeEventListener("keydown", leave);
  });
  useEffect(() => {
    if (past === undefined || !value) return;
    const change = spokenChange(latest!.value / value - 1, texts);
    state.announce(fill(texts.daySentence, { day: date(past), price: price(value, unit), change }));
  }, [past, value]);
}

/** The chart and the table of days, up to the latest record. Opening this part costs three units. A redraw is free. */
function Records(scene: Scene) {
  const { asset, name, texts, latest } = scene;
  const { summary, failure } = state.market.value;
  const last = useMemo(() => latest && Date.parse(latest.businessTime), [latest?.version]); // changes only with `version`, so that a newer record from another answer causes no request
  if (last !== undefined)
    return (
      <>
        <ChartSection scene={scene} last={last} />
        <DaysSection scene={scene} last={last} />
      </>
    );
  if (summary !== undefined)
    return (
      <Missing
        icon={icon("clock")}
        title={fill(texts.noRecord, { name })}
        text={fill(texts.noRecordText, { code: asset.code })}
      >
        <p class="acts">
          <WatchButton {...scene} /> <CategoryLink {...scene} />
        </p>
      </Missing>
    );
  if (state.key.value === undefined) return state.isWide.value ? null : <AskForKey id="asset-key" />; // on a wide screen, the market beside the asset asks for the key
  if (failure !== undefined) return <FailureBox thrown={failure} retry={state.loadMarket} />;
  return (
    <div class="sheet asset-chart">
      <p class="asset-canvas loading">{texts.loading}</p>
    </div>
  );
}

/** The breadcrumb, the asset's name, and the latest value with its unit, change and age. */
function Heading(scene: Scene) {
  const { asset, name, latest, texts } = scene;
  return (
    <header class="asset-head">
      <nav class="asset-trail small" aria-label={texts.trail}>
        <a href={state.marketAddress.value}>{texts.market}</a> <span aria-hidden="true">/</span>{" "}
        <CategoryLink {...scene} />
      </nav>
      <div class="asset-name">
        <h1>{name}</h1> <code dir="ltr">{asset.code}</code>{" "}
        {asset.code === "GOLD_18_RLS" && (
          <a class="small" href={addressOf("gold")}>
            {texts.pieceCost}
          </a>
        )}
      </div>
      <Value {...scene} />
      {latest !== undefined && (
        <span class="asset-acts">
          <WatchButton {...scene} /> {settings.isPublic && <EmbedButton {...scene} />}
        </span>
      )}
    </header>
  );
}

function CategoryLink({ asset: { category }, texts }: Scene) {
  return <a href={addressOf("market", undefined, { category })}>{texts.groups[category]}</a>;
}

/** Opens a panel, whose content is loaded on opening and removed on closing. */
function EmbedButton(scene: Scene) {
  const { embed } = scene.texts;
  const [isOpen, setOpen] = useState(false);
  const { Loaded, start } = useLazy(() => import("./asset_embed.tsx").then(({ EmbedPanel }) => EmbedPanel));

  function onToggle({ currentTarget }: TargetedEvent<HTMLElement>): void {
    setOpen(currentTarget.matches(":popover-open"));
    start();
  }
  return (
    <>
      <button id="asset-embed" popovertarget="embed-panel" aria-label={embed}>
        {icon("reference")} <span class="wide-only">{embed}</span>
      </button>
      <div id="embed-panel" class="panel" popover="auto" role="group" aria-label={embed} onToggle={onToggle}>
        {isOpen && Loaded && <Loaded {...scene} />}
      </div>
    </>
  );
}

function WatchButton({ asset, texts }: Scene) {
  const isWatched = state.watched.value.has(asset.code);
  return (
    <button
      id="asset-watch"
      class={isWatched ? "watching" : undefined}
      aria-pressed={isWatched}
      aria-label={texts.watch}
      onClick={() => state.toggleWatched(asset.code)}
    >
      {icon("star", isWatched)} <span class="wide-only">{isWatched ? texts.watching : texts.watch}</span>
    </button>
  );
}

/** The price with its change and age. For a past day, there is also a button back to now. */
function Value({ moment, latest, unit, texts, chooseDay }: Scene) {
  const { unitName, priceNumber, difference, dateTime, shortDate, locale, date } = state.format.value;
  const { past, value, before, isComing } = moment;
  const stale = useStale(past === undefined ? latest : undefined);
  if (latest === undefined) return <p class="asset-value"> </p>;
  const none = isComing ? "…" : "—";
  let since: ComponentChildren = <span class="wide-only">{texts.sinceYesterday}</span>;
  if (past !== undefined) since = texts.onThatDay;
  else if (before && before.date !== state.yesterday.value)
    since = fill(texts.sinceDay, { day: shortDate(before.date, state.now.peek()) });
  const weekday = new Intl.DateTimeFormat(locale, { timeZone: "UTC", weekday: "short" });
  return (
    <p class={stale ? "asset-value stale" : "asset-value"}>
      <strong>
        {past === undefined && <Price value={latest.value} unit={unit} />}
        {past !== undefined && (value === undefined ? none : num(priceNumber(value, unit)))}
      </strong>{" "}
      <span class="asset-unit">{unitName(unit)}</span>{" "}
      {!stale && value !== undefined && before?.value && (
        <>
          <Percent ratio={value / before.value - 1} />{" "}
          <span class="none">
            {num(difference(value - before.value, unit))} {since}
          </span>
        </>
      )}{" "}
      {past === undefined ? (
        <span class={stale ? "asset-age stale-age" : "asset-age none"}>
          {stale ? icon("clock") : <span class={state.isFree.value ? "dot" : "dot off"} />}{" "}
          <time dateTime={latest.businessTime}>
            <Age latest={latest} />
            <span class={stale ? undefined : "wide-only"}> · {dateTime(latest.businessTime)}</span>
          </time>
        </span>
      ) : (
        <span class="asset-chip">
          {icon("calendar")} {fill(texts.notToday, { day: `${weekday.format(Date.parse(past))} ${date(past)}` })}{" "}
          <button id="asset-now" onClick={() => chooseDay("")}>
            {texts.backToNow}
          </button>
        </span>
      )}
    </p>
  );
}

/** The prices of the market day so far or of a whole past day, and the close of the day before. */
function Today({ unit, texts, latest, moment }: Scene) {
  const { number, priceNumber, date } = state.format.value;
  const records = moment.past === undefined ? latest?.day : moment.records;
  if (records == null) return null;
  const { open, high, low, count } = records;
  const { before, past } = moment;
  const isYesterday = past === undefined && before?.date === state.yesterday.value;
  const values = {
    [texts.open]: open,
    [texts.high]: high,
    [texts.low]: low,
    ...(before && { [isYesterday ? texts.yesterday : fill(texts.closeOf, { day: date(before.date) })]: before.value }),
  };
  return (
    <Card
      title={past === undefined ? texts.today : date(past)}
      note={fill(texts.records, { count: number(count) })}
      rows={Object.entries(values).map(([name, value]) => [name, priceNumber(value, unit)])}
    />
  );
}
