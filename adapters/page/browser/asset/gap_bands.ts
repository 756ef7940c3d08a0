import type { IChartApi, IPrimitivePaneRenderer, UTCTimestamp } from "lightweight-charts";

/** A time without a record: from the last bar before it to the first after it, and its length in words. */
export type GapBand = Readonly<Record<"from" | "to", UTCTimestamp> & { text: string }>;

/** Pixels between the strokes of a band. */
const STROKES = 7;

/** Draws gaps behind all else of a chart: hatched, with their length where it has room. Gives the function that changes them; a chart that draws shows it. */
export function drawGaps(
  chart: IChartApi,
  look: Readonly<Record<"fill" | "stroke" | "ink" | "font", string>>,
): (bands: readonly GapBand[]) => void {
  let bands: readonly GapBand[] = [];

  function drawBand(context: CanvasRenderingContext2D, height: number, { from, to, text }: GapBand): void {
    const [before, after] = [from, to].map((time) => chart.timeScale().timeToCoordinate(time) ?? NaN) as [
      number,
      number,
    ];
    const half = chart.timeScale().options().barSpacing / 2;
    const [left, width] = [before + half, after - before - 2 * half];
    if (!(width > 0)) return;
    context.save();
    context.beginPath();
    context.rect(left, 0, width, height);
    context.fillStyle = look.fill;
    context.fill();
    context.clip();
    context.beginPath();
    for (let x = left - height; x < left + width; x += STROKES) {
      context.moveTo(x, height);
      context.lineTo(x + height, 0);
    }
    context.strokeStyle = look.stroke;
    context.stroke();
    context.font = look.font;
    context.textAlign = "center";
    context.fillStyle = look.ink;
    if (context.measureText(text).width + STROKES < width) context.fillText(text, left + width / 2, height * 0.45);
    context.restore();
  }

  const renderer = {
    draw: (target: Parameters<IPrimitivePaneRenderer["draw"]>[0]): void =>
      target.useMediaCoordinateSpace(({ context, mediaSize }) =>
        bands.forEach((band) => drawBand(context, mediaSize.height, band)),
      ),
  };
  const views = [{ zOrder: () => "bottom" as const, renderer: () => renderer }];
  chart.panes()[0]!.attachPrimitive({ paneViews: () => views });
  return (next) => void (bands = next);
}
