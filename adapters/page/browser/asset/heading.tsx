import { usePage } from "../context.ts";
import { isStale } from "../market/known.ts";
import { groupName } from "../market/messages.ts";
import { ratioOf } from "../market/entries.ts";
import { Change, Difference, Price } from "../market/numbers.tsx";
import { addressOf } from "../places.ts";
import { nameOf } from "../titles.ts";
import { Icon } from "../ui/icon.tsx";
import type { Scene } from "./scene.ts";

/** Where this is, what the asset is called, its latest value with unit, change and age. */
export function Heading({ scene: { asset, unit, texts } }: { readonly scene: Scene }) {
  const { preferences: { language }, marketAddress, market, format, now, settings, live, watched, watch } = usePage();
  const latest = market.rows.get(asset.code);
  const stale = latest !== undefined && isStale(latest, now, settings.staleThresholdMinutes);
  const isWatched = watched.has(asset.code);
  return (
    <header class="asset-head">
      <nav class="asset-trail small" aria-label={texts.trail}>
        <a href={marketAddress}>{texts.back}</a> <span aria-hidden="true">/</span>{" "}
        <a href={addressOf("market", undefined, { category: asset.category })}>{groupName(asset.category, language)}</a>
      </nav>
      <div class="asset-name"><h1>{nameOf(asset, language)}</h1> <code dir="ltr">{asset.code}</code></div>
      {latest === undefined ? <p class="asset-value"> </p> : (
        <p class={stale ? "asset-value stale" : "asset-value"}>
          <strong><Price value={latest.value} unit={unit} /></strong> <span class="asset-unit">{format.unitName(unit)}</span>{" "}
          {!stale && latest.before && <Change entry={{ latest, ratio: ratioOf(latest) }} />}{" "}
          {!stale && latest.before && <span class="none"><Difference entry={{ latest, unit }} /> {texts.since}</span>}{" "}
          <span class={stale ? "asset-age stale-age" : "asset-age none"}>
            {stale ? <Icon name="clock" /> : <span class={live.isOn ? "dot" : "dot off"} />}{" "}
            <time dateTime={latest.businessTime}>{format.age(Date.parse(latest.businessTime), now)} · {format.dateTime(latest.businessTime)}</time>
          </span>
        </p>
      )}
      <button type="button" id="asset-watch" class={isWatched ? "watching" : undefined} aria-pressed={isWatched} aria-label={texts.watch} onClick={() => watch(asset.code)}>
        <Icon name="star" filled={isWatched} /> <span class="wide-only">{isWatched ? texts.watching : texts.watch}</span>
      </button>
    </header>
  );
}
