import { useEffect, useRef, useState } from "preact/hooks";
import type { Interval } from "../../../../core/mod.ts";
import type { PageAsset } from "../../page_settings.ts";
import { unitOf } from "../format.ts";
import { loadFile } from "../load_file.ts";
import { directionOf } from "../market/sparkline.tsx";
import { fill } from "../texts.ts";
import { nameOf } from "../titles.ts";
import { Icon } from "../ui/icon.tsx";
import type { PriceChart } from "./chart.ts";
import { extremesOf } from "./chart_data.ts";
import type { Bar } from "./chart_data.ts";
import { axisShift, barTime } from "./chart_labels.ts";
import type { RangeName } from "./choice.ts";
import type { Scene } from "./view.tsx";

/** What the chart is drawn from. */
export interface ChartProps {
  readonly scene: Scene;
  readonly interval: Interval;
  readonly range: RangeName;
  /** At least one. */
  readonly bars: readonly Bar[];
  readonly isLine: boolean;
  /** The asset that is compared. */
  readonly other: { readonly asset: PageAsset; readonly bars: readonly Bar[] } | undefined;
}

/**
 * The chart with the values of one bar, and a slider that moves over the bars without a pointer. All of it but the picture is there at once.
 */
export function PriceChartBox(props: ChartProps) {
  const { scene: { texts, unit, name, format, language }, bars } = props;
  const [pointed, setPointed] = useState<number>();
  const { canvas, chart, hasFailed } = useChart(props, setPointed);
  const last = bars.length - 1;
  const at = Math.min(pointed ?? last, last);
  const values = valuesOf(props, at);
  const picture = fill(texts.chartOf, { label: name, unit: format.unitName(unit) });

  function point(index: number | undefined): void {
    setPointed(index);
    chart.current?.point(index);
  }

  return (
    <div class="asset-frame">
      <dl class="asset-readout">
        {values.map(([of, value, look]) => <div key={of} class={look}><dt>{of}</dt> <dd><bdi class="n">{value}</bdi></dd></div>)}
      </dl>
      <div class="asset-canvas" dir="ltr" role="img" aria-label={picture} ref={canvas}>{hasFailed && <p class="loading">{texts.chartFailed}</p>}</div>
      <div class="asset-tools">
        <input
          type="range" class="asset-slider" dir="ltr" min={0} max={last} value={at} aria-label={texts.candleSlider}
          aria-valuetext={values.map(([of, value]) => `${of} ${value}`).join(language === "fa" ? "، " : ", ")}
          onInput={({ currentTarget }) => point(Number(currentTarget.value))} onBlur={() => point(undefined)}
        />
        <button type="button" class="quiet" id="asset-full" aria-label={texts.fullScreen} title={texts.fullScreen} onClick={toggleFull}><Icon name="expand" /></button>
      </div>
    </div>
  );
}

function toggleFull({ currentTarget }: { readonly currentTarget: Element }): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  else void currentTarget.closest(".asset-chart")!.requestFullscreen().catch(reportError);
}

type Said = readonly [name: string, value: string, look?: string];

/** What is said of one bar, above the chart and by the slider: its values, or those of both assets. */
function valuesOf({ scene: { name, texts, unit, format, language }, interval, bars, other }: ChartProps, at: number): readonly Said[] {
  const [bar, before] = [bars[at]!, bars[at - 1]];
  const time = [texts.time, `${barTime(bar.time, interval, format)}${bar.isRunning ? ` (${texts.running})` : ""}`, "time"] as const;
  if (other !== undefined) {
    const same = other.bars.find((one) => one.time === bar.time);
    const price = same === undefined ? "–" : format.price(same.close, unitOf(other.asset));
    return [time, [name, format.price(bar.close, unit), "key"], [nameOf(other.asset, language), price, "key other"]];
  }
  const prices = (["open", "high", "low", "close"] as const).map((part) => [texts[part], format.priceNumber(bar[part], unit)] as const);
  const change = before?.close ? bar.close / before.close - 1 : undefined;
  return [time, ...prices, ...(change === undefined ? [] : [[texts.change, format.percent(change), `change ${directionOf(change)}`] as const])];
}

/** Draws the picture into `canvas`, and anew with another look; the file that can is loaded after all else is painted. */
function useChart({ scene, interval, bars, isLine, other }: ChartProps, onPoint: (index: number | undefined) => void) {
  const { unit, choice: { isLog }, format, settings, preferences } = scene;
  const canvas = useRef<HTMLDivElement>(null);
  const chart = useRef<PriceChart>();
  const [hasFailed, setFailed] = useState(false);
  // The page is drawn anew four times a minute, which is soon enough for a turned phone or an evening.
  const [isDark, isPhone] = ["(prefers-color-scheme: dark)", "(width < 40rem)"].map((query) => matchMedia(query).matches);
  const look = { isLine, isLog, isCompared: other !== undefined, interval, shiftMs: axisShift(bars.at(-1)!.time, interval, settings.marketTimeZone), unit, isShort: isPhone! };
  const show = useRef(() => {});
  show.current = () => chart.current?.show(bars, other?.bars ?? []);

  useEffect(() => {
    let isLeft = false;
    const draw = async (): Promise<void> => {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const { createPriceChart } = await loadFile(() => import("./chart.ts"));
      if (isLeft) return;
      chart.current = createPriceChart(canvas.current!, { ...look, highest: extremesOf(bars).high, format, onPoint });
      show.current();
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
  }, [JSON.stringify([look, other?.asset.code, isDark, preferences])]);
  useEffect(() => show.current(), [bars, other?.bars]);
  return { canvas, chart, hasFailed };
}
