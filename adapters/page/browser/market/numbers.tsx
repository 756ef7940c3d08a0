// A price and its change, as every view shows them.
import { useRef } from "preact/hooks";
import { usePage } from "../context.ts";
import type { PriceUnit } from "../format.ts";
import { fill } from "../texts.ts";
import type { Entry } from "./entries.ts";
import { directionOf } from "./sparkline.tsx";

/** A price. One that changes while it is shown flashes once, its changed digits tinted. Another unit is no change; the owner gives each asset its `key`. */
export function Price({ value, unit }: { readonly value: number; readonly unit: PriceUnit }) {
  const { format } = usePage();
  const text = format.priceNumber(value, unit);
  const shown = useRef({ value, text, times: 0, move: "same" as ReturnType<typeof directionOf>, from: 0 });
  if (shown.current.value !== value) {
    const from = [...text].findIndex((sign, at) => sign !== shown.current.text[at]);
    shown.current = { value, text, times: shown.current.times + 1, move: directionOf(value - shown.current.value), from: Math.max(0, from) };
  }
  const { times, move, from } = shown.current;
  if (times === 0 || shown.current.text !== text) return <bdi class="n" dir="ltr">{text}</bdi>;
  // Another key is another element, whose animation begins anew.
  return <bdi key={times} class={`n flash ${move}`} dir="ltr">{text.slice(0, from)}<span>{text.slice(from)}</span></bdi>;
}

/** The change against the day before in percent, with a sign that needs no colour. */
export function Change({ entry: { latest, ratio } }: { readonly entry: Pick<Entry, "latest" | "ratio"> }) {
  const { format, texts } = usePage();
  if (ratio === undefined) return <span class="none">—</span>;
  const move = directionOf(ratio);
  const title = latest?.before ? fill(texts.since, { day: format.date(latest.before.date) }) : undefined;
  return (
    <span class={`change-text ${move}`} title={title}>
      <span class="arrow" aria-hidden="true">{ARROWS[move]}</span> <bdi class="n" dir="ltr">{format.percent(ratio)}</bdi>
    </span>
  );
}

const ARROWS = { up: "▲", down: "▼", same: "" };

/** The change in the unit. */
export function Difference({ entry: { latest, unit } }: { readonly entry: Pick<Entry, "latest" | "unit"> }) {
  const { format } = usePage();
  if (latest?.before == null) return <span class="none">—</span>;
  return <bdi class="n" dir="ltr">{format.difference(latest.value - latest.before.value, unit)}</bdi>;
}

/** The sign before a price in dollars; other units are told by the group or the words beside. */
export function UnitSign({ unit }: { readonly unit: PriceUnit }) {
  return unit === "USD" ? <span class="unit-sign" aria-hidden="true">$</span> : null;
}
