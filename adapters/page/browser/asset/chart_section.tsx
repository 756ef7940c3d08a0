import { useMemo } from "preact/hooks";
import { PriceError } from "../../../client/mod.ts";
import { usePage } from "../context.ts";
import { directionOf } from "../market/sparkline.tsx";
import { nameOf } from "../titles.ts";
import { FailureBox } from "../ui/failure_box.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { questionsAbout } from "./answers.ts";
import { areCandles, candleBars, dailyBars, gapsOf, summarize, withLatest } from "./chart_data.ts";
import type { Bar } from "./chart_data.ts";
import { intervalName, rangeName } from "./chart_labels.ts";
import { latestDays } from "./days.ts";
import { PriceChartBox } from "./price_chart.tsx";
import { isCapped, isInterval, offeredRanges, widthOf } from "./ranges.ts";
import type { CandleWindow, RangeName, Supply } from "./ranges.ts";
import { RequestLine } from "./request_line.tsx";
import { recordDays } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { useAnswer } from "./use_answer.ts";

/** What the section is drawn from. */
interface SectionProps {
  readonly scene: Scene;
  readonly supply: Supply;
  readonly window: CandleWindow & { readonly range: RangeName };
}

/** Range, kind and interval, the chart with its request, and what it says in words. */
export function ChartSection({ scene, supply, window }: SectionProps) {
  const { settings, market, client, key } = usePage();
  const { texts, questions, asset, choice } = scene;
  const records = recordDays(supply, scene.dayOf);
  const candles = useAnswer(questions.candles(window));
  const hasNone = candles.outcome?.ok === false && isNotFound(candles.outcome.error);
  const daily = useAnswer(hasNone ? questions.days(latestDays(records.to, records.from)) : undefined);
  const other = settings.assets.find(({ code }) => code === choice.compare && code !== asset.code);
  const compared = useAnswer(other && questionsAbout(other, client, key).candles(window));
  const latest = market.rows.get(asset.code);
  const answered = candles.outcome?.ok === true ? candles.outcome.value : undefined;
  const bars = useMemo((): readonly Bar[] | undefined => {
    if (answered === undefined) return daily.outcome?.ok === true ? dailyBars(daily.outcome.value) : undefined;
    const known = candleBars(answered);
    return latest === undefined ? known : withLatest(known, { value: latest.value, time: Date.parse(latest.businessTime) }, widthOf(window.interval));
  }, [answered, daily.outcome, latest?.value, latest?.businessTime]);
  const otherBars = useMemo(() => (compared.outcome?.ok === true ? candleBars(compared.outcome.value) : undefined), [compared.outcome]);
  const failed = [hasNone ? daily : candles, compared].find(({ outcome }) => outcome?.ok === false);

  return (
    <section class="sheet asset-chart" aria-label={texts.chartOf(asset.code, scene.unit)}>
      <Choices scene={scene} supply={supply} window={window} bars={bars} />
      {failed?.outcome?.ok === false && <FailureBox thrown={failed.outcome.error} retry={failed.retry} />}
      {bars === undefined || bars.length === 0
        ? <div class="asset-canvas"><p class="loading">{bars === undefined ? texts.loading : texts.noDays}</p></div>
        : <PriceChartBox scene={scene} window={window} bars={bars} compared={other && otherBars} />}
      <div class="asset-calls"><RequestLine call={questions.candles(window).call} /></div>
      {bars !== undefined && <Summary scene={scene} bars={bars} range={window.range} />}
      {other !== undefined && otherBars !== undefined && bars !== undefined && <Ratio scene={scene} bars={bars} others={otherBars} otherCode={other.code} />}
      {bars !== undefined && <Notes scene={scene} supply={supply} window={window} bars={bars} isDaily={hasNone} />}
    </section>
  );
}

function Choices({ scene: { texts, choice, choose, asset }, supply, window, bars = [] }: SectionProps & { readonly bars: readonly Bar[] | undefined }) {
  const { format, settings, preferences } = usePage();
  const kind = choice.compare !== undefined ? "line" : choice.kind ?? (areCandles(bars) ? "candles" : "line");
  const ranges = offeredRanges(window.interval, supply).map((range) => {
    return [range, <abbr title={rangeName(range, format, texts.all)}>{rangeName(range, format, texts.all, { isShort: true })}</abbr>];
  });
  const comparable = settings.assets.filter(({ code }) => code !== asset.code && !code.endsWith("_RLS") === !asset.code.endsWith("_RLS"));
  return (
    <div class="asset-choices">
      <Segmented<RangeName> name="asset-range" label={texts.range} options={Object.fromEntries(ranges)} chosen={window.range} choose={(range) => choose({ range })} />
      <Segmented name="asset-kind" label={texts.kind} options={texts.kinds} chosen={kind} choose={(next) => choose({ kind: next, compare: undefined })} />
      <label><span class="visually-hidden">{texts.interval}</span>
        <select id="asset-interval" value={window.interval} onChange={({ currentTarget: { value } }) => isInterval(value) && choose({ interval: value })}>
          {(["15m", "1h", "4h", "1d"] as const).map((interval) => <option key={interval} value={interval}>{intervalName(interval, format)}</option>)}
        </select>
      </label>
      <label class="check asset-log"><input id="asset-log" type="checkbox" checked={choice.isLog} onChange={() => choose({ isLog: !choice.isLog })} />{texts.log}</label>
      <label class="asset-compare"><span class="visually-hidden">{texts.compare}</span>
        <select id="asset-compare" value={choice.compare ?? ""} onChange={({ currentTarget: { value } }) => choose({ compare: value === "" ? undefined : value })}>
          <option value="">{texts.compare} …</option>
          {comparable.map((one) => <option key={one.code} value={one.code}>{nameOf(one, preferences.language)}</option>)}
        </select>
      </label>
    </div>
  );
}

/** How the range went, and the last week and month, which the market's answer tells. */
function Summary({ scene: { asset, unit, texts }, bars, range }: { readonly scene: Scene; readonly bars: readonly Bar[]; readonly range: RangeName }) {
  const { format, market } = usePage();
  const found = summarize(bars);
  if (found === undefined) return null;
  const latest = market.rows.get(asset.code);
  const since = (days: number): number | undefined => {
    const before = latest?.days.at(-1 - days);
    return latest === undefined || !before ? undefined : latest.value / before - 1;
  };
  const name = rangeName(range, format, texts.all);
  const isTold = range === "1w" || range === "1m";
  const changes: readonly (readonly [name: string, change: number | undefined])[] = [[texts.week, since(7)], [texts.month, since(29)], [name, isTold ? undefined : found.change]];
  return (
    <dl class="asset-summary">
      {changes.map(([of, change]) => change !== undefined && (
        <div key={of}><dt>{of}</dt><dd class={directionOf(change)}><bdi class="n" dir="ltr">{format.percent(change)}</bdi></dd></div>
      ))}
      <div>
        <dt>{texts.lowHigh(name)}</dt>
        <dd><bdi class="n" dir="ltr">{format.priceNumber(found.lowest.low, unit)} – {format.priceNumber(found.highest.high, unit)}</bdi></dd>
      </div>
    </dl>
  );
}

interface Compared {
  readonly scene: Scene;
  readonly bars: readonly Bar[];
  readonly others: readonly Bar[];
  readonly otherCode: string;
}

/** How many of the other asset one of this is: now, and over the range. */
function Ratio({ scene: { asset, texts }, bars, others, otherCode }: Compared) {
  const { format, settings, preferences: { language } } = usePage();
  const closes = new Map(others.map(({ time, close }) => [time, close]));
  const ratios = bars.flatMap(({ time, close }) => (closes.get(time) ? [close / closes.get(time)!] : []));
  const other = settings.assets.find(({ code }) => code === otherCode)!;
  if (ratios.length === 0) return null;
  const write = (ratio: number): string => new Intl.NumberFormat(format.locale, { maximumSignificantDigits: 5 }).format(ratio);
  const amount = `${write(ratios.at(-1)!)} ${nameOf(other, language)}`;
  return <p class="asset-ratio">{texts.ratio(nameOf(asset, language), amount, write(Math.min(...ratios)), write(Math.max(...ratios)), format.number(ratios.length))}</p>;
}

function Notes({ scene: { texts, choice }, supply, window, bars, isDaily }: SectionProps & { readonly bars: readonly Bar[]; readonly isDaily: boolean }) {
  const { format, settings } = usePage();
  const isCut = window.range === "all" && isCapped(window.interval, supply) && !isDaily;
  const areDrawn = choice.compare === undefined && (choice.kind === undefined ? areCandles(bars) : choice.kind === "candles");
  return (
    <ul class="asset-notes small">
      {gapsOf(bars, widthOf(window.interval)).length > 0 && <li><span class="hatched" aria-hidden="true" /> {texts.noRecords}</li>}
      {areDrawn && bars.some(({ high, low }) => high === low) && <li><span aria-hidden="true">●</span> {texts.oneRecord}</li>}
      {areDrawn && bars.at(-1)?.isRunning === true && <li>{texts.hollow}</li>}
      {isDaily && <li>{texts.isDaily}</li>}
      {isCut && <li>{texts.capped(format.number(supply.maxCandles), format.date(window.from))}</li>}
      {window.interval === "1d" && !isDaily && <li>{texts.utcDays(settings.marketTimeZone)}</li>}
      <li>
        {texts.drawnWith} <a href="https://www.tradingview.com/" rel="noopener noreferrer" dir="ltr" lang="en">TradingView Lightweight Charts™</a>{" "}
        <span dir="ltr" lang="en">Copyright © 2026 TradingView, Inc.</span>
      </li>
    </ul>
  );
}

/** Whether the server says that there is nothing, not that it could not answer. */
function isNotFound(error: unknown): boolean {
  return error instanceof PriceError && error.status === 404;
}
