import { usePage } from "../context.ts";
import type { Format } from "../format.ts";
import { directionOf } from "../market/sparkline.tsx";
import type { Interval } from "../../../../core/mod.ts";
import type { Bar } from "./chart_data.ts";
import { barTime } from "./chart_labels.ts";
import type { Scene } from "./scene.ts";

/** The values of one bar, above the chart. */
export function Readout({ scene, interval, bar, before }: ShownBar & { readonly scene: Scene; readonly before: Bar | undefined }) {
  const { format } = usePage();
  const [[, time], ...values] = valuesOf(scene, { interval, bar }, format);
  const change = before === undefined || before.close === 0 ? undefined : bar.close / before.close - 1;
  return (
    <dl class="asset-readout">
      <div><dt class="visually-hidden">{scene.texts.time}</dt><dd>{time}{interval === "1d" && bar.observations !== undefined && " UTC"}</dd></div>
      {values.map(([name, value]) => <div key={name}><dt>{name}</dt> <dd><bdi class="n">{value}</bdi></dd></div>)}
      {change !== undefined && (
        <div class={directionOf(change)}><dt class="visually-hidden">{scene.texts.change}</dt><dd><bdi class="n" dir="ltr">{format.percent(change)}</bdi></dd></div>
      )}
    </dl>
  );
}

/** Which bar, of which width. */
interface ShownBar {
  readonly interval: Interval;
  readonly bar: Bar;
}

/** The values of a bar in one sentence, for screen readers. */
export function barText(scene: Scene, shown: ShownBar, format: Format): string {
  return valuesOf(scene, shown, format).map(([name, value]) => `${name} ${value}`).join(format.locale.startsWith("fa") ? "، " : ", ");
}

type Values = [[name: string, time: string], ...[name: string, value: string][]];

function valuesOf({ unit, texts }: Scene, { interval, bar }: ShownBar, format: Format): Values {
  const price = (value: number): string => format.priceNumber(value, unit);
  const time: [string, string] = [texts.time, barTime(bar, interval, format)];
  if (bar.observations === undefined) return [time, [texts.value, price(bar.close)]];
  return [
    time,
    [texts.open, price(bar.open)],
    [texts.high, price(bar.high)],
    [texts.low, price(bar.low)],
    [texts.close, price(bar.close)],
    [texts.records, format.number(bar.observations) + (bar.isRunning ? ` (${texts.running})` : "")],
  ];
}
