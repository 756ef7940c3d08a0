import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { DAY_MS } from "../../../../core/internal.ts";
import type { Interval } from "../../../../core/mod.ts";
import type { PageAsset } from "../../page_settings.ts";
import { curl, exampleKey } from "../../reference/examples.ts";
import { nameOf, unitOf } from "../format_values.ts";
import { directionOf } from "../market/price_numbers.tsx";
import { docsAddress } from "../page_addresses.ts";
import { fill } from "../texts.ts";
import { CopyButton } from "../ui/copy_button.tsx";
import { FailureBox } from "../ui/failure_box.tsx";
import { Icon } from "../ui/icon.tsx";
import { Segmented } from "../ui/segmented.tsx";
import type { PriceChart } from "./chart.ts";
import {
  areCandles,
  axisShift,
  type Bar,
  barsOf,
  barTime,
  changeSince,
  durationText,
  extremesOf,
  gapsOf,
  rangeName,
  withLatest,
} from "./chart_data.ts";
import { type Call, candlesCall } from "./price_calls.ts";
import {
  chosenWindow,
  INTERVAL_NAMES,
  RANGE_NAMES,
  RANGES,
  type RangeName,
  rangeFor,
  widthOf,
} from "./range_choice.ts";
import { useAnswers } from "./use_answers.ts";
import type { Scene } from "./view.tsx";

/** What the chart is drawn from. */
export interface ChartProps {
  readonly scene: Scene;
  readonly interval: Interval;
  readonly range: RangeName;
  /** At least one; ascending in time. */
  readonly bars: readonly Bar[];
  readonly isLine: boolean;
  /** The asset that is compared. */
  readonly other: { readonly asset: PageAsset; readonly bars: readonly Bar[] } | undefined;
}

/** Range, kind and interval, the chart up to the latest record, with its request, and what it says in words. */
export function ChartSection({ scene, last }: { readonly scene: Scene; readonly last: number }) {
  const { texts, asset, choice, latest, version, settings } = scene;
  const window = chosenWindow(choice, last, settings.maxCandles);
  const { interval, range } = window;
  const other = settings.assets.find(({ code }) => code === choice.compare && code !== asset.code);
  const call = candlesCall(asset.code, window);
  const {
    answers: [candles],
    failed,
  } = useAnswers([call], version);
  const {
    answers: [otherCandles],
    failed: otherFailed,
  } = useAnswers(other === undefined ? [] : [candlesCall(other.code, window)], version);
  const failure = failed ?? otherFailed;
  const bars = useMemo(
    () => candles && withLatest(barsOf(candles), latest, widthOf(interval)),
    [candles, latest?.value, latest?.businessTime],
  );
  const otherBars = useMemo(() => otherCandles && barsOf(otherCandles), [otherCandles]);
  const isLine = other !== undefined || (choice.kind === undefined ? !areCandles(bars ?? []) : choice.kind === "line");
  // While other candles are on their way, those before stay.
  const kept = useRef<Omit<ChartProps, "scene">>();
  if (failed) kept.current = undefined;
  else if (bars?.[0] !== undefined)
    kept.current = { interval, range, bars, isLine, other: other && otherBars && { asset: other, bars: otherBars } };
  const shown = kept.current && { ...kept.current, scene };

  return (
    <section class="sheet asset-chart" aria-label={fill(texts.chartOf, { label: asset.code, unit: scene.unit })}>
      <Choices scene={scene} interval={interval} range={range} isLine={isLine} />
      {failure && <FailureBox {...failure} />}
      {shown === undefined ? (
        <p class="asset-canvas loading">{!failed && texts.loading}</p>
      ) : (
        <PriceChartBox {...shown} />
      )}
      <RequestLine call={call} scene={scene} />
      {shown !== undefined && (
        <>
          <Summary {...shown} />
          <Ratio {...shown} />
          <Notes {...shown} />
        </>
      )}
    </section>
  );
}

function Choices({ scene, interval, range, isLine }: Pick<ChartProps, "scene" | "interval" | "range" | "isLine">) {
  const { texts, choice, choose, asset, format, settings, language, market } = scene;
  const ranges = RANGE_NAMES.map((name) => [
    name,
    <abbr title={rangeName(name, format, texts)}>{rangeName(name, format, texts, "narrow")}</abbr>,
  ]);
  const chooseInterval = (next: Interval): void =>
    choose({ interval: next, range: rangeFor(next, range, settings.maxCandles) });
  const others = settings.assets.filter(
    (one) => one !== asset && one.quoteUnit === asset.quoteUnit && market.rows.has(one.code),
  );
  return (
    <div class="asset-choices">
      <Segmented<RangeName>
        name="asset-range"
        label={texts.range}
        options={Object.fromEntries(ranges)}
        chosen={range}
        choose={(next) => choose({ range: next })}
      />
      <select
        id="asset-interval"
        aria-label={texts.interval}
        value={interval}
        onChange={({ currentTarget: { selectedIndex } }) => chooseInterval(INTERVAL_NAMES[selectedIndex]!)}
      >
        {INTERVAL_NAMES.map((one) => (
          <option key={one} value={one}>
            {durationText(widthOf(one), format)}
          </option>
        ))}
      </select>
      <div class="asset-looks">
        <Segmented
          name="asset-kind"
          label={texts.kind}
          options={texts.kinds}
          chosen={isLine ? "line" : "candles"}
          choose={(kind) => choose({ kind, compare: "" })}
        />
        <label class="check">
          <input
            id="asset-log"
            type="checkbox"
            checked={choice.isLog}
            onChange={() => choose({ scale: choice.isLog ? "" : "log" })}
          />
          {texts.log}
        </label>
        <select
          id="asset-compare"
          aria-label={texts.compare}
          value={choice.compare ?? ""}
          onChange={({ currentTarget: { value } }) => choose({ compare: value })}
        >
          <option value="">{texts.compare} …</option>
          {others.map((one) => (
            <option key={one.code} value={one.code}>
              {nameOf(one, language)}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}

/** The chart with the values of one bar, and a slider that moves over the bars without a pointer; + and - zoom. All of it but the picture is there at once. */
function PriceChartBox(props: ChartProps) {
  const {
    scene: { texts, unit, name, format, language },
    bars,
  } = props;
  const [pointed, setPointed] = useState<number>();
  const { canvas, chart, hasFailed } = useChart(props, setPointed);
  const last = bars.length - 1;
  const at = Math.min(pointed ?? last, last);
  const values = valuesOf(props, at);
  const picture = fill(texts.chartOf, { label: name, unit: format.unitName(unit) });

  function point(index: number | undefined, factor?: number): void {
    setPointed(index);
    chart.current?.point(index, factor);
  }

  return (
    <div class="asset-frame">
      <dl class="asset-readout">
        {values.map(([of, value, look]) => (
          <div key={of} class={look}>
            <dt>{of}</dt>{" "}
            <dd>
              <bdi class="n">{value}</bdi>
            </dd>
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
          aria-valuetext={values.map(([of, value]) => `${of} ${value}`).join(language === "fa" ? "، " : ", ")}
          onInput={({ currentTarget }) => point(Number(currentTarget.value))}
          onBlur={() => point(undefined)}
          onKeyDown={({ key }) => ZOOMS.has(key) && point(at, ZOOMS.get(key))}
        />
        <button
          type="button"
          class="quiet"
          id="asset-full"
          aria-label={texts.fullScreen}
          title={texts.fullScreen}
          onClick={toggleFull}
        >
          <Icon name="expand" />
        </button>
      </div>
    </div>
  );
}

/** How much more of the time a key shows. */
const ZOOMS = new Map([
  ["+", 0.5],
  ["=", 0.5],
  ["-", 2],
]);

function toggleFull({ currentTarget }: { readonly currentTarget: Element }): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else void currentTarget.closest(".asset-chart")!.requestFullscreen().catch(reportError);
}

type Said = readonly [name: string, value: string, look?: string];

/** What is said of one bar, above the chart and by the slider: its values, or those of both assets. */
function valuesOf(
  { scene: { name, texts, unit, format, language }, interval, bars, other }: ChartProps,
  at: number,
): readonly Said[] {
  const [bar, before] = [bars[at]!, bars[at - 1]];
  const time = [
    texts.time,
    `${barTime(bar.time, interval, format)}${bar.isRunning ? ` (${texts.running})` : ""}`,
    "time",
  ] as const;
  if (other !== undefined) {
    const same = other.bars.find((one) => one.time === bar.time);
    return [
      time,
      [name, format.price(bar.close, unit), "key"],
      [nameOf(other.asset, language), same ? format.price(same.close, unitOf(other.asset)) : "–", "key other"],
    ];
  }
  const prices = (["open", "high", "low", "close"] as const).map(
    (part) => [texts[part], format.priceNumber(bar[part], unit)] as const,
  );
  const change = before?.close ? bar.close / before.close - 1 : undefined;
  return [
    time,
    ...prices,
    ...(change === undefined ? [] : [[texts.change, format.percent(change), `change ${directionOf(change)}`] as const]),
  ];
}

/** Draws the picture into `canvas`, and anew with another look; the file that can is loaded after all else is painted. */
function useChart(props: ChartProps, onPoint: (index: number | undefined) => void) {
  const {
    scene: { choice, preferences, settings },
    interval,
    bars,
    isLine,
    other,
  } = props;
  const canvas = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart>();
  const [hasFailed, setFailed] = useState(false);
  const present = useRef(props);
  present.current = props;
  // The page is drawn anew four times a minute, which is soon enough for a turned phone or an evening.
  const [isDark, isShort] = ["(prefers-color-scheme: dark)", "(width < 40rem)"].map(
    (query) => matchMedia(query).matches,
  );
  const shiftMs = axisShift(bars.at(-1)!.time, interval, settings.marketTimeZone);

  useEffect(() => {
    let isLeft = false;
    const draw = async (): Promise<void> => {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const { createPriceChart } = await import("./chart.ts");
      if (isLeft) return;
      chart.current = createPriceChart(canvas.current!, present.current, { shiftMs, isShort: isShort!, onPoint });
      chart.current.show(present.current);
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
  }, [JSON.stringify([isLine, choice.isLog, other?.asset.code, interval, preferences, isDark, isShort, shiftMs])]);
  useEffect(() => chart.current?.show(props), [bars, other?.bars]);
  return { canvas, chart, hasFailed };
}

/** The request behind what is seen, in one line: to be copied, and to be tried in the reference. */
function RequestLine({ call: { target, route }, scene }: { readonly call: Call<unknown>; readonly scene: Scene }) {
  const { language, baseUrl, texts } = scene;
  const command = curl(
    { method: "GET", url: `${baseUrl}${target}`, needsKey: true, body: undefined },
    exampleKey(scene),
  );
  return (
    <p class="request-line">
      <code class="asset-url" tabIndex={0}>
        <strong>GET</strong> {target}
      </code>
      <CopyButton
        text={command}
        label={
          <>
            <Icon name="copy" /> curl
          </>
        }
        subject="curl"
      />
      <a href={`${baseUrl}/${docsAddress("reference", language, route)}`}>{texts.inReference}</a>
    </p>
  );
}

/** How the last week and month went, which the market's answer tells, and the range: by its own name where the bars reach back so far. */
function Summary({ scene: { unit, texts, latest, format }, bars, range, interval, other }: ChartProps) {
  const since = (days: number): number | undefined => latest && changeSince(latest, days);
  const [first, end, { low, high }] = [bars[0]!, bars.at(-1)!, extremesOf(bars)];
  const length = end.time + widthOf(interval) - first.time;
  const isWhole = range === "all" || length > RANGES[range][0] * 0.9 * DAY_MS;
  const named =
    range === "1d"
      ? format.number(24, { style: "unit", unit: "hour", unitDisplay: "long" })
      : rangeName(range, format, texts);
  const name = isWhole ? named : durationText(length, format);
  // A comparison, and what is no cell of its own, counts from the first close, as the lines do; a day of the chart is no market day.
  const whole = (other || range === "1d" ? undefined : since(RANGES[range][0])) ?? end.close / first.close - 1;
  const changes = {
    [rangeName("1w", format, texts)]: since(7),
    [rangeName("1m", format, texts)]: since(30),
    [name]: whole,
  };
  return (
    <dl class="asset-summary">
      {Object.entries(changes).map(
        ([of, change]) =>
          change !== undefined && (
            <div key={of}>
              <dt>{of}</dt>
              <dd class={`change-text ${directionOf(change)}`}>
                <bdi class="n" dir="ltr">
                  {format.percent(change)}
                </bdi>
              </dd>
            </div>
          ),
      )}
      <div>
        <dt>{fill(texts.lowHigh, { range: name })}</dt>
        <dd>
          <bdi class="n" dir="ltr">
            {format.priceNumber(low, unit)} – {format.priceNumber(high, unit)}
          </bdi>
        </dd>
      </div>
    </dl>
  );
}

/** How many of the cheaper asset the dearer one is ("one coin is 1,001 dollars", from either side): now, and over the range. */
function Ratio({ scene: { name, texts, format, language }, bars, other }: ChartProps) {
  const closes = new Map(other?.bars.map(({ time, close }) => [time, close]));
  const both = bars.flatMap(({ time, close }) => (close && closes.get(time) ? [close / closes.get(time)!] : []));
  if (other === undefined || both.length === 0) return null;
  const isDearer = both.at(-1)! >= 1;
  const ratios = isDearer ? both : both.map((ratio) => 1 / ratio);
  const [one, unit] = isDearer ? [name, nameOf(other.asset, language)] : [nameOf(other.asset, language), name];
  const [now, low, high] = [ratios.at(-1)!, Math.min(...ratios), Math.max(...ratios)].map((ratio) =>
    format.number(ratio, { maximumSignificantDigits: 5 }),
  );
  return (
    <p class="asset-ratio">
      {fill(texts.ratio, {
        one,
        amount: `${now} ${unit}`,
        span: `${low} – ${high}`,
        count: format.number(ratios.length),
      })}
    </p>
  );
}

/** What the marks of the chart mean, whose days its candles are, and whose work it is. */
function Notes({ scene: { texts, settings, format }, bars, isLine, interval }: ChartProps) {
  const longest = gapsOf(bars, widthOf(interval)).reduce(
    (most, { from, to }) => Math.max(most, to - from - widthOf(interval)),
    0,
  );
  return (
    <ul class="asset-notes small">
      {longest > 0 && (
        <li>
          <span class="striped" aria-hidden="true" /> {fill(texts.noRecords, { length: durationText(longest, format) })}
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
