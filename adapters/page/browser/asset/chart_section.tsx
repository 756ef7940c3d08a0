import { useMemo, useRef } from "preact/hooks";
import { exampleKey, exportLine } from "../example_key.ts";
import { directionOf } from "../market/sparkline.tsx";
import { docsAddress } from "../places.ts";
import { fill } from "../texts.ts";
import { nameOf } from "../titles.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { FailureBox } from "../ui/failure_box.tsx";
import { Icon } from "../ui/icon.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { candlesCall, curlLine } from "./calls.ts";
import type { Call } from "./calls.ts";
import { areCandles, barsOf, extremesOf, gapsOf, withLatest } from "./chart_data.ts";
import { durationText, rangeName } from "./chart_labels.ts";
import { INTERVAL_NAMES, chosenWindow, offeredRanges, widthOf } from "./choice.ts";
import type { RangeName } from "./choice.ts";
import { PriceChartBox } from "./price_chart.tsx";
import type { ChartProps } from "./price_chart.tsx";
import { useAnswers } from "./use_answers.ts";
import type { Scene } from "./view.tsx";

/** Range, kind and interval, the chart up to the latest record, with its request, and what it says in words. */
export function ChartSection({ scene, last }: { readonly scene: Scene; readonly last: number }) {
  const { texts, asset, choice, latest, version, settings } = scene;
  const window = chosenWindow(choice, last, settings.maxCandles);
  const { interval, range } = window;
  const other = settings.assets.find(({ code }) => code === choice.compare && code !== asset.code);
  const call = candlesCall(asset.code, window);
  const { answers: [candles], failed } = useAnswers([call], version);
  const { answers: [otherCandles], failed: otherFailed } = useAnswers(other === undefined ? [] : [candlesCall(other.code, window)], version);
  const failure = failed ?? otherFailed;
  const bars = useMemo(() => candles && withLatest(barsOf(candles), latest, widthOf(interval)), [candles, latest?.value, latest?.businessTime]);
  const otherBars = useMemo(() => otherCandles && barsOf(otherCandles), [otherCandles]);
  const isLine = other !== undefined || (choice.kind === undefined ? !areCandles(bars ?? []) : choice.kind === "line");
  // While other candles are on their way, those before stay.
  const kept = useRef<Omit<ChartProps, "scene">>();
  if (failed) kept.current = undefined;
  else if (bars?.[0] !== undefined) kept.current = { interval, range, bars, isLine, other: other && otherBars && { asset: other, bars: otherBars } };
  const shown = kept.current && { ...kept.current, scene };

  return (
    <section class="sheet asset-chart" aria-label={fill(texts.chartOf, { label: asset.code, unit: scene.unit })}>
      <Choices scene={scene} interval={interval} range={range} isLine={isLine} />
      {failure && <FailureBox {...failure} />}
      {shown === undefined ? <p class="asset-canvas loading">{!failed && texts.loading}</p> : <PriceChartBox {...shown} />}
      <RequestLine call={call} scene={scene} />
      {shown !== undefined && <><Summary {...shown} /><Ratio {...shown} /><Notes {...shown} /></>}
    </section>
  );
}

function Choices({ scene, interval, range, isLine }: Pick<ChartProps, "scene" | "interval" | "range" | "isLine">) {
  const { texts, choice, choose, asset, format, settings, language } = scene;
  const ranges = offeredRanges(interval, settings.maxCandles)
    .map((name) => [name, <abbr title={rangeName(name, format, texts)}>{rangeName(name, format, texts, "narrow")}</abbr>]);
  const others = settings.assets.filter((one) => one !== asset && one.quoteUnit === asset.quoteUnit);
  return (
    <div class="asset-choices">
      <Segmented<RangeName> name="asset-range" label={texts.range} options={Object.fromEntries(ranges)} chosen={range} choose={(next) => choose({ range: next })} />
      <select id="asset-interval" aria-label={texts.interval} value={interval} onChange={({ currentTarget: { value } }) => choose({ interval: value })}>
        {INTERVAL_NAMES.map((one) => <option key={one} value={one}>{durationText(widthOf(one), format)}</option>)}
      </select>
      <div class="asset-looks">
        <Segmented name="asset-kind" label={texts.kind} options={texts.kinds} chosen={isLine ? "line" : "candles"} choose={(kind) => choose({ kind, compare: "" })} />
        <label class="check"><input id="asset-log" type="checkbox" checked={choice.isLog} onChange={() => choose({ scale: choice.isLog ? "" : "log" })} />{texts.log}</label>
        <select id="asset-compare" aria-label={texts.compare} value={choice.compare ?? ""} onChange={({ currentTarget: { value } }) => choose({ compare: value })}>
          <option value="">{texts.compare} …</option>
          {others.map((one) => <option key={one.code} value={one.code}>{nameOf(one, language)}</option>)}
        </select>
      </div>
    </div>
  );
}

/** The request behind what is seen, in one line: to be copied, and to be tried in the reference. */
function RequestLine({ call: { target, route }, scene }: { readonly call: Call<unknown>; readonly scene: Scene }) {
  const { language, baseUrl, texts } = scene;
  return (
    <p class="request-line">
      <code class="asset-url" tabIndex={0}><strong>GET</strong> {target}</code>
      <CopyButton text={`${exportLine(exampleKey(scene))}\n${curlLine(baseUrl, target)}`} label={<><Icon name="copy" /> curl</>} subject="curl" />
      <a href={`${baseUrl}/${docsAddress("reference", language, route)}`}>{texts.inReference}</a>
    </p>
  );
}

/** How the range went, and the last week and month, which the market's answer tells. */
function Summary({ scene: { unit, texts, latest, format }, bars, range }: ChartProps) {
  const since = (before: number | null | undefined): number | undefined => (latest && before ? latest.value / before - 1 : undefined);
  const name = rangeName(range, format, texts);
  const changes: Readonly<Record<string, number | undefined>> = {
    [rangeName("1w", format, texts)]: since(latest?.days.at(-8)), [rangeName("1m", format, texts)]: since(latest?.days.at(-30)),
    ...(range !== "1w" && range !== "1m" && { [name]: bars.at(-1)!.close / bars[0]!.open - 1 }),
  };
  const { low, high } = extremesOf(bars);
  return (
    <dl class="asset-summary">
      {Object.entries(changes).map(([of, change]) => change !== undefined && (
        <div key={of}><dt>{of}</dt><dd class={directionOf(change)}><bdi class="n" dir="ltr">{format.percent(change)}</bdi></dd></div>
      ))}
      <div><dt>{fill(texts.lowHigh, { range: name })}</dt><dd><bdi class="n" dir="ltr">{format.priceNumber(low, unit)} – {format.priceNumber(high, unit)}</bdi></dd></div>
    </dl>
  );
}

/** How many of the other asset one of this is: now, and over the range. */
function Ratio({ scene: { name, texts, format, language }, bars, other }: ChartProps) {
  const closes = new Map(other?.bars.map(({ time, close }) => [time, close]));
  const ratios = bars.flatMap(({ time, close }) => (closes.get(time) ? [close / closes.get(time)!] : []));
  if (other === undefined || ratios.length === 0) return null;
  const [now, low, high] = [ratios.at(-1)!, Math.min(...ratios), Math.max(...ratios)].map((ratio) => format.number(ratio, { maximumSignificantDigits: 5 }));
  const values = { one: name, amount: `${now} ${nameOf(other.asset, language)}`, span: `${low} – ${high}`, count: format.number(ratios.length) };
  return <p class="asset-ratio">{fill(texts.ratio, values)}</p>;
}

/** What the marks of the chart mean, whose days its candles are, and whose work it is. */
function Notes({ scene: { texts, settings, format }, bars, isLine, interval }: ChartProps) {
  const longest = gapsOf(bars, widthOf(interval)).reduce((most, { from, to }) => Math.max(most, to - from - widthOf(interval)), 0);
  return (
    <ul class="asset-notes small">
      {longest > 0 && <li><span class="striped" aria-hidden="true" /> {fill(texts.noRecords, { length: durationText(longest, format) })}</li>}
      {!isLine && bars.some(({ high, low }) => high === low) && <li><span aria-hidden="true">●</span> {texts.oneRecord}</li>}
      {interval === "1d" && <li>{fill(texts.utcDays, { zone: settings.marketTimeZone })}</li>}
      <li>
        {texts.drawnWith} <a href="https://www.tradingview.com/" rel="noopener noreferrer" dir="ltr" lang="en">TradingView Lightweight Charts™</a>{" "}
        <span dir="ltr" lang="en">Copyright © 2026 TradingView, Inc.</span>
      </li>
    </ul>
  );
}
