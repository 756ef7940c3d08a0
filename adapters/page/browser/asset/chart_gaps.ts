// Hatches the stretches without a record, and says how long they are.
import type { IChartApi, IPrimitivePaneView, ISeriesPrimitive, Time, UTCTimestamp } from "lightweight-charts";
import type { ChartSettings } from "./chart.ts";
import type { Gap } from "./chart_data.ts";

const HATCH = 7;

/** The marks of gaps, which are drawn behind a series. */
export function gapMarks(chart: IChartApi, { colors, fontFamily, gapText }: ChartSettings): { readonly primitive: ISeriesPrimitive<Time>; show(gaps: readonly Gap[]): void } {
  let shown: readonly Gap[] = [];
  let redraw: (() => void) | undefined;
  const place = (time: number): number => chart.timeScale().timeToCoordinate(Math.floor(time / 1_000) as UTCTimestamp) ?? NaN;
  const view: IPrimitivePaneView = {
    zOrder: () => "bottom",
    renderer: () => ({
      draw: (target) => target.useMediaCoordinateSpace(({ context, mediaSize: { height } }) => {
        for (const gap of shown) {
          const [from, to] = [place(gap.from), place(gap.to)];
          const space = (to - from) / (gap.missing + 1) / 2; // the bars beside it have half a slot each
          drawGap(context, { from: from + space, to: to - space, height, text: gapText(gap) });
        }
      }),
    }),
  };

  function drawGap(context: CanvasRenderingContext2D, { from, to, height, text }: { from: number; to: number; height: number; text: string }): void {
    if (!(to - from > 1)) return;
    context.save();
    context.beginPath();
    context.rect(from, 0, to - from, height);
    context.clip();
    context.fillStyle = colors.sunken;
    context.fillRect(from, 0, to - from, height);
    context.strokeStyle = colors.grid;
    context.beginPath();
    for (let x = from - height; x < to; x += HATCH) {
      context.moveTo(x, height);
      context.lineTo(x + height, 0);
    }
    context.stroke();
    context.font = `11px ${fontFamily}`;
    if (to - from > context.measureText(text).width + 8) {
      context.fillStyle = colors.text;
      context.textAlign = "center";
      context.fillText(text, (from + to) / 2, height * 0.45);
    }
    context.restore();
  }

  return {
    primitive: { paneViews: () => [view], attached: ({ requestUpdate }) => (redraw = requestUpdate) },
    show(gaps) {
      shown = gaps;
      redraw?.();
    },
  };
}
