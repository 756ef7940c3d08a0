import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Interval, PriceCandle } from "../../../../core/mod.ts";
import type { PageAsset } from "../../page_settings.ts";
import { curl, exampleKey } from "../../reference/examples.ts";
import { docsAddress } from "../data/addresses.ts";
import { candlesCall } from "../data/answers.ts";
import {
  areCandles,
  axisShift,
  type Bar,
  barsOf,
  barTime,
  commonStart,
  durationText,
  extremesOf,
  gapsOf,
  rangeName,
  withLatest,
} from "../data/bars.ts";
import { nameOf, unitOf } from "../data/format.ts";
import { directionOf } from "../data/lines.ts";
import { chosenWindow, INTERVAL_NAMES, RANGE_NAMES, type RangeName, rangeFor, widthOf } from "../data/ranges.ts";
import * as state from "../data/state.ts";
import { CopyButton, Segmented, Select } from "../parts/buttons.tsx";
import { icon } from "../parts/icons.tsx";
import { FailureBox } from "../parts/lazy_parts.tsx";
import { Percent, Span } from "../parts/numbers.tsx";
import { useAnswers } from "../parts/use_answers.ts";
import { fill } from "../texts/fill.ts";
import { type ChartProps, type Scene, spokenChange } from "./asset_scene.ts";
import type { PriceChart } from "./chart.ts";

const { settings, baseUrl } = state;

/** The choices of range, kind and interval; the chart up to the latest record; a summary in words; the API request. */
export function ChartSection({ scene, last }: { readonly scene: Scene; readonly last: number }) {
  const { texts, asset, choice } = scene;
  const window = chosenWindow(choice, last, settings.maxCandles);
  const { interval, range } = window;
  const other = settings.assets.find(({ code }) => code === choice.compare && code !== asset.code);
  const call = candlesCall(asset.code, window);
  const main = useAnswers([call]);
  const others = useAnswers(other === undefined ? [] : [candlesCall(other.code, window)]);
  const failed = main.failed ?? others.failed;
  const bars = useBars(asset, main.answers[0], interval);
  const otherBars = useBars(other, others.answers[0], interval);
  const since = bars && otherBars && commonStart(bars, otherBars);
  const isLine = other !== undefined || (choice.kind === undefined ? !areCandles(bars ?? []) : choice.kind === "line");
  // While other candles are loading, the previous candles stay.
  const kept = useRef<Omit<ChartProps, "scene">>();
  if (main.failed) kept.current = undefined;
  else if (bars?.[0] !== undefined) {
    const compared = other && since && { asset: other, bars: otherBars!, since };
    kept.current = { interval, range, bars, isLine, other: compared };
  }
  const shown = kept.current && { ...kept.current, scene };
  const label = fill(texts.chartOf, { label: asset.code, unit: state.format.value.unitName(scene.unit) });

  return (
    <section class="sheet asset-chart" aria-label={label}>
      <Strip scene={scene} range={range} />
      <Choices scene={scene} interval={interval} range={range} isLine={isLine} />
      {failed && <FailureBox {...failed} missing={texts.chartMissing} still={texts.priceStays} />}
      {shown !== undefined && <PriceChartBox {...shown} />}
      {shown === undefined && !main.failed && <p class="asset-canvas loading">{texts.loading}</p>}
      <RequestLine {...call} texts={texts} />
      {shown !== undefined && (
        <>
          {other && otherBars && <Ratio {...shown} name={nameOf(other, state.language.value)} />}
          <Notes {...shown} />
        </>
      )}
    </section>
  );
}

/** Returns the candles and the latest record as bars. The array stays the same until candles or record change. */
function useBars(asset: PageAsset | undefined, candles: readonly PriceCandle[] | undefined, interval: Interval) {
  const latest = asset && state.rows.value.get(asset.code);
  return useMemo(
    () => candles && withLatest(barsOf(candles), latest, widthOf(interval)),
    [candles, latest?.value, latest?.businessTime],
  );
}

/**
 * The ranges, each with the price's change over this range; the chart's range is marked. If a range begins before the
 * first record, the day of this record is shown instead of the change.
 */
function Strip({ scene: { texts, moment, choose }, range }: Pick<ChartProps, "scene" | "range">) {
  const format = state.format.value;
  const year = new Intl.DateTimeFormat(format.locale, { timeZone: "UTC", year: "numeric" });

  function cellOf(name: RangeName, of: string) {
    const { begun } = moment;
    const start = moment.startOf(name);
    if (moment.value !== undefined && start?.value) {
      const ratio = moment.value / start.value - 1;
      const facts = { range: of, change: spokenChange(ratio, texts), day: format.date(start.date) };
      return { label: fill(texts.rangeCell, facts), text: <Percent ratio={ratio} /> };
    }
    if (begun === undefined || begun <= moment.firstDay(name)!) return { label: of, text: "—" };
    const text = fill(texts.sinceDay, { day: name === "all" ? year.format(Date.parse(begun)) : format.date(begun) });
    return { label: `${of} ${text}`, text };
  }

  return (
    <fieldset class="asset-strip">
      <legend class="visually-hidden">{texts.range}</legend>
      {RANGE_NAMES.map((name) => {
        const of = rangeName(name, format, texts);
        const { label, text } = cellOf(name, of);
        return (
          <label key={name}>
            <input
              type="radio"
              id={`asset-range-${name}`}
              name="asset-range"
              aria-label={label}
              checked={name === range}
              onChange={() => choose({ range: name })}
            />
            <span>{of}</span> <span class="small">{text}</span>
          </label>
        );
      })}
    </fieldset>
  );
}

function Choices({ scene, interval, range, isLine }: Pick<ChartProps, "scene" | "interval" | "range" | "isLine">) {
  const { texts, choice, choose, asset } = scene;
  const lengthOf = (one: Interval): string => durationText(widthOf(one), state.format.value);
  const intervals = INTERVAL_NAMES.map(
    (one) => [one, one === "1d" ? `${lengthOf(one)} (UTC)` : lengthOf(one)] as const,
  );
  const others = settings.assets
    .filter((one) => one !== asset && one.quoteUnit === asset.quoteUnit && state.rows.value.has(one.code))
    .map((one) => [one.code, nameOf(one, state.language.value)] as const);
  return (
    <div class="asset-choices">
      <Select
        name="asset-interval"
        label={texts.interval}
        options={intervals}
        chosen={interval}
        choose={(next) => choose({ interval: next, range: rangeFor(next, range, settings.maxCandles) })}
      />
      <div class="asset-looks">
        <Segmented
          name="asset-kind"
          label={texts.kind}
          options={texts.kinds}
          chosen={isLine ? "line" : "candles"}
          choose={(kind) => choose({ kind, compare: "" })}
        />
        <Select
          name="asset-compare"
          label={texts.compare}
          options={[["", `${texts.compare} …`], ...others]}
          chosen={choice.compare ?? ""}
          choose={(compare) => choose({ compare })}
        />
      </div>
    </div>
  );
}

/** The chart with the values of one bar, and a slider that chooses the bar by keyboard. The keys + and - zoom. */
function PriceChartBox(props: ChartProps) {
  const { scene, bars, interval } = props;
  const { texts, unit, name, moment, chooseDay } = scene;
  const full = texts.fullScreen;
  const [pointed, setPointed] = useState<number>();
  const last = bars.length - 1;
  const dayOf = (index: number): string => dayOfBar(bars[index]!, interval);
  function chooseAt(index: number): void {
    setPointed(undefined);
    chooseDay(dayOf(index));
  }
  const chosen = moment.past === undefined ? last : bars.findLastIndex((_, index) => dayOf(index) <= moment.past!);
  const { canvas, chart, hasFailed } = useChart(props, chosen, setPointed, chooseAt);
  const at = Math.min(pointed ?? Math.max(chosen, 0), last);
  const values = valuesOf(props, at);
  const shown = pointed === undefined ? restOf(props) : values;
  const picture = fill(texts.chartOf, { label: name, unit: state.format.value.unitName(unit) });

  function point(index: number | undefined, factor?: number): void {
    setPointed(index);
    chart.current?.point(index, factor);
  }

  /** If a past day is chosen, the arrow keys choose the nearest earlier or later day that has a bar. */
  function press(event: KeyboardEvent): void {
    const { key } = event;
    const step = key === "ArrowLeft" ? -1 : Number(key === "ArrowRight"); // left to right in both languages
    if (ZOOMS[key]) point(at, ZOOMS[key]);
    else if (key === "Enter") chooseAt(at);
    else if (step !== 0 && moment.past !== undefined) {
      event.preventDefault();
      let next = at;
      while (bars[next] !== undefined && dayOf(next) === dayOf(at)) next += step;
      if (bars[next] !== undefined) chooseAt(next);
    }
  }

  return (
    <div class="asset-frame">
      <dl class="asset-readout">
        {shown.map(([of, value, look]) => (
          <div key={of} class={look}>
            <dt>{of}</dt> <dd>{typeof value === "string" ? <bdi class="n">{value}</bdi> : value}</dd>
          </div>
        ))}
      </dl>
      <div class="asset-canvas" dir="ltr" role="img" aria-label={picture} ref={canvas}>
        {hasFailed && <p class="loading">{texts.chartFailed}</p>}
      </div>
      <div class="asset-tools">
        <input
          type="range"
          class="asset-slider"
          dir="ltr"
          min={0}
          max={last}
          value={at}
          aria-label={texts.candleSlider}
          aria-valuetext={values.map(([of, value]) => `${of} ${value}`).join(state.format.value.comma)}
          onInput={({ currentTarget }) => point(Number(currentTarget.value))}
          onBlur={() => point(undefined)}
          onKeyDown={press}
        />
        <button class="quiet" id="asset-full" aria-label={full} title={full} onClick={toggleFull}>
          {icon("expand")}
        </button>
      </div>
    </div>
  );
}

/** By how much a zoom key changes the visible time. */
const ZOOMS: Readonly<Record<string, number>> = { "+": 0.5, "=": 0.5, "-": 2 };

function toggleFull({ currentTarget }: { readonly currentTarget: Element }): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else void currentTarget.closest(".asset-chart")!.requestFullscreen().catch(reportError);
}

type ReadoutValue<Value = string> = readonly [name: string, value: Value, look?: string];

/** The day of a bar: for `1d` candles the UTC day, for shorter candles the market day on which the bar starts. */
function dayOfBar({ time }: Pick<Bar, "time">, interval: Interval): string {
  return interval === "1d" ? new Date(time).toISOString().slice(0, 10) : state.dayOf(time);
}

/** The values of one bar (in a comparison, of both assets). The slider and the line above the chart show them. */
function valuesOf({ scene, interval, bars, other }: ChartProps, at: number): readonly ReadoutValue[] {
  const { name, texts, unit } = scene;
  const format = state.format.value;
  const [bar, before] = [bars[at]!, bars[at - 1]];
  const began = barTime(bar.time, interval, format);
  const time = [texts.time, bar.isRunning ? `${began} (${texts.running})` : began, "time"] as const;
  if (other !== undefined) {
    const same = other.bars.find((one) => one.time === bar.time);
    const { close, otherClose } = other.since;
    const withChange = (value: number, of: string, start: number): string =>
      `${format.price(value, of)} · ${format.percent(value / start - 1)}`;
    const otherText = same ? withChange(same.close, unitOf(other.asset), otherClose) : "–";
    return [
      time,
      [name, withChange(bar.close, unit, close), "key"],
      [nameOf(other.asset, state.language.value), otherText, "key other"],
    ];
  }
  const change = before?.close ? bar.close / before.close - 1 : undefined;
  return [
    time,
    ...pricesOf(bar, scene),
    ...(change === undefined ? [] : [[texts.change, format.percent(change), `change ${directionOf(change)}`] as const]),
  ];
}

function pricesOf(prices: Pick<Bar, (typeof PARTS)[number]>, { texts, unit }: Scene): readonly ReadoutValue[] {
  return PARTS.map((part) => [texts[part], state.format.value.priceNumber(prices[part], unit)]);
}

const PARTS = ["open", "high", "low", "close"] as const;

/** The line above the chart while no bar is pointed at: the change over the range or since a day, or a comparison. */
function restOf(props: ChartProps): readonly ReadoutValue<string | JSX.Element>[] {
  const { scene, interval, range, bars, other } = props;
  const { texts, unit, moment, latest } = scene;
  const { date, percent, difference, priceNumber } = state.format.value;
  const [first, last] = [bars[0]!, bars.length - 1];
  if (other !== undefined) {
    const day = barTime(other.since.time, interval, state.format.value);
    return [[texts.time, fill(texts.bothFrom, { day }), "time"], ...valuesOf(props, last).slice(1)];
  }
  if (moment.past !== undefined) {
    const { past, value, records } = moment;
    const time: ReadoutValue = [texts.time, date(past), "time"];
    if (!value || !records) return [time];
    const since = latest!.value - value;
    return [
      time,
      ...pricesOf({ ...records, close: value }, scene),
      [texts.toNow, `${percent(since / value)} ${difference(since, unit)}`, directionOf(since)],
    ];
  }
  const start = moment.startOf(range) ?? { date: dayOfBar(first, interval), value: first.close };
  const end = latest?.value ?? bars[last]!.close;
  const change = start.value ? end / start.value - 1 : 0;
  const { low, high } = extremesOf(bars);
  return [
    [texts.time, fill(texts.span, { from: date(start.date), to: date(moment.day!) }), "time"],
    [texts.from, priceNumber(start.value, unit)],
    [texts.to, priceNumber(end, unit)],
    [texts.change, percent(change), `change ${directionOf(change)}`],
    [texts.lowHigh, <Span low={priceNumber(low, unit)} high={priceNumber(high, unit)} />, "extremes"],
  ];
}

/** Draws the chart into `canvas`, and draws it again when its look changes. The drawing code is loaded last. */
function useChart(
  props: ChartProps,
  chosen: number,
  onPoint: (index: number | undefined) => void,
  onChoose: (index: number) => void,
) {
  const { interval, bars, isLine, other, scene } = props;
  const { past, value } = scene.moment;
  const mark = past && { index: chosen, value, text: state.format.value.shortDate(past, state.now.peek()) };
  const canvas = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart>();
  const [hasFailed, setFailed] = useState(false);
  const present = useRef({ props, mark, onChoose });
  present.current = { props, mark, onChoose };
  const [isDark, isShort] = [state.isDark.value, state.isNarrow.value];
  const shiftMs = axisShift(bars.at(-1)!.time, interval, settings.marketTimeZone);

  useEffect(() => {
    let isLeft = false;
    const draw = async (): Promise<void> => {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const { createPriceChart } = await import("./chart.ts");
      if (isLeft) return;
      const choose = (index: number): void => present.current.onChoose(index);
      const options = { shiftMs, isShort, onPoint, onChoose: choose };
      chart.current = createPriceChart(canvas.current!, present.current.props, options);
      chart.current.show(present.current.props, present.current.mark);
    };
    draw().catch((error: unknown) => {
      setFailed(true);
      reportError(error);
    });
    return () => {
      isLeft = true;
      chart.current?.remove();
      chart.current = undefined;
    };
  }, [JSON.stringify([isLine, other?.asset.code, interval, state.preferences.value, isDark, isShort, shiftMs])]);
  useEffect(() => chart.current?.show(props, mark), [bars, other?.bars, mark?.text, chosen, value]);
  return { canvas, chart, hasFailed };
}

/** The chart's API request in one line, with a copy button and a link to the form in the reference. */
function RequestLine({ target, route, texts }: ReturnType<typeof candlesCall> & Pick<Scene, "texts">) {
  const request = { method: "GET", url: `${baseUrl}${target}`, needsKey: true, body: undefined };
  const command = curl(request, exampleKey(state.key.value, settings));
  return (
    <p class="request-line">
      <code class="asset-url" tabIndex={0}>
        <strong>GET</strong> {target}
      </code>
      <CopyButton text={command} subject="curl">
        curl
      </CopyButton>
      <a href={`${baseUrl}/${docsAddress("reference", state.language.value, route)}`}>{texts.inReference}</a>
    </p>
  );
}

/** The price of the dearer asset in the cheaper asset ("one coin is 1,001 dollars"), now and over the range. */
function Ratio({ scene, interval, bars, other, name }: ChartProps & { readonly name: string }) {
  const { texts } = scene;
  if (other === undefined) return <p class="asset-ratio">{fill(texts.nothingCommon, { name })}</p>;
  const closes = new Map(other.bars.map(({ time, close }) => [time, close]));
  const both = bars.flatMap(({ time, close }) => (close && closes.get(time) ? [close / closes.get(time)!] : []));
  const isDearer = both.at(-1)! >= 1;
  const ratios = isDearer ? both : both.map((ratio) => 1 / ratio);
  const [one, unit] = isDearer ? [scene.name, name] : [name, scene.name];
  const write = (ratio: number): string => state.format.value.number(ratio, { maximumSignificantDigits: 5 });
  const facts = {
    one,
    amount: `${write(ratios.at(-1)!)} ${unit}`,
    span: `${write(Math.min(...ratios))} – ${write(Math.max(...ratios))}`,
    count: state.format.value.number(ratios.length),
  };
  const day = barTime(other.since.time, interval, state.format.value);
  return (
    <p class="asset-ratio">
      {fill(texts.ratio, facts)} {fill(texts.commonStart, { day })}
    </p>
  );
}

/** The legend of the chart, the time zone of its days, and the credit for the chart library. */
function Notes({ scene: { texts }, bars, isLine, interval }: ChartProps) {
  const width = widthOf(interval);
  const longest = Math.max(0, ...gapsOf(bars, width).map(({ from, to }) => to - from - width));
  return (
    <ul class="asset-notes small">
      {longest > 0 && (
        <li>
          <span class="striped" aria-hidden="true" />{" "}
          {fill(texts.noRecords, { length: durationText(longest, state.format.value) })}
        </li>
      )}
      {!isLine && bars.some(({ high, low }) => high === low) && (
        <li>
          <span aria-hidden="true">●</span> {texts.oneRecord}
        </li>
      )}
      {interval === "1d" && <li>{fill(texts.utcDays, { zone: settings.marketTimeZone })}</li>}
      <li>
        {texts.drawnWith}{" "}
        <a href="https://www.tradingview.com/" rel="noopener noreferrer" dir="ltr" lang="en">
          TradingView Lightweight Charts™
        </a>{" "}
        <span dir="ltr" lang="en">
          Copyright © 2026 TradingView, Inc.
        </span>
      </li>
    </ul>
  );
}
