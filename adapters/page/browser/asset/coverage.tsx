import type { ComponentChildren } from "preact";
import type { CatalogEntry } from "../../../../core/mod.ts";
import { usePage } from "../context.ts";
import type { Scene } from "./scene.ts";

/** What the catalog tells of the asset: since when there are records, whose they are, how new the latest is. */
export function Coverage({ scene: { texts }, entry }: { readonly scene: Scene; readonly entry: CatalogEntry<string> }) {
  const { format } = usePage();
  const time = (text: string | null) => (text === null ? "–" : <time dateTime={text}>{format.dateTime(text)}</time>);
  const quality = [entry.qualityStatus, entry.qualityMessage].filter((text) => text !== null && text !== "").join(": ");
  const rows: readonly (readonly [name: string, value: ComponentChildren])[] = [
    [texts.unit, texts.units[entry.quoteUnit]],
    [texts.firstRecord, time(entry.ohlcAvailableFrom)],
    [texts.latestRecord, time(entry.businessTime)],
    [texts.stored, time(entry.insertTime)],
    [texts.providers, <bdi>{entry.providers.length === 0 ? texts.noProvider : entry.providers.join(", ")}</bdi>],
    [texts.quality, quality === "" ? "–" : <bdi dir="ltr" lang="en">{quality}</bdi>],
  ];
  return (
    <section class="sheet card asset-coverage" aria-labelledby="asset-coverage-title">
      <h2 id="asset-coverage-title">{texts.coverage}</h2>
      <dl>{rows.map(([name, value]) => <div key={name}><dt>{name}</dt> <dd>{value}</dd></div>)}</dl>
    </section>
  );
}
