import { usePage } from "../context.ts";
import type { Scene } from "./scene.ts";

/** The market day so far, and where the last one ended. */
export function Today({ scene: { asset, unit, texts } }: { readonly scene: Scene }) {
  const { market, format } = usePage();
  const latest = market.rows.get(asset.code);
  if (latest?.day == null) return null;
  const { open, high, low, count } = latest.day;
  const rows: readonly (readonly [name: string, value: number | undefined])[] = [[texts.open, open], [texts.high, high], [texts.low, low], [texts.yesterday, latest.before?.value]];
  return (
    <section class="sheet card">
      <h2>{texts.today} <span class="small">{texts.records}: {format.number(count)}</span></h2>
      <dl>{rows.map(([name, value]) => value !== undefined && <div key={name}><dt>{name}</dt> <dd><bdi class="n" dir="ltr">{format.priceNumber(value, unit)}</bdi></dd></div>)}</dl>
    </section>
  );
}
