import { usePage } from "../context.ts";
import { addressOf } from "../places.ts";
import { Icon } from "../ui/icon.tsx";
import type { Entry } from "./entries.ts";
import { isStale } from "./known.ts";
import { MARKET } from "./messages.ts";
import { Change, Difference, Price, UnitSign } from "./numbers.tsx";
import { Sparkline } from "./sparkline.tsx";

/**
 * One row of the table. The roles are written out, as browsers drop those of a table whose rows are laid out as a grid, which they are
 * on a phone.
 */
export function MarketRow({ entry, isAwaited }: { readonly entry: Entry; readonly isAwaited: boolean }) {
  const { format, settings, now, preferences, place, market, watched, watch } = usePage();
  const { asset, name, unit, latest } = entry;
  const texts = MARKET[preferences.language];
  const isWatched = watched.has(asset.code);
  const isShown = place.view === "asset" && place.id === asset.code; // beside the market, where there is room for both
  const stale = latest !== undefined && isStale(latest, now, settings.staleThresholdMinutes);
  const bar = isAwaited && latest === undefined && <span class="bar" />;
  return (
    <tr role="row" class={stale ? "stale" : undefined}>
      <td role="cell" class="star">
        <button type="button" id={`star-${asset.code}`} aria-pressed={isWatched} aria-label={texts.watch(name)} onClick={() => watch(asset.code)}>
          <Icon name="star" filled={isWatched} />
        </button>
      </td>
      <th scope="row" role="rowheader" class="asset">
        <a id={`row-${asset.code}`} href={addressOf("asset", asset.code)} aria-current={isShown ? "true" : undefined}><bdi>{name}</bdi></a>
      </th>
      <td role="cell" class="ticker"><code dir="ltr" title={asset.code}>{asset.baseCode}</code></td>
      <td role="cell" class="price">
        {bar || (latest === undefined
          ? <span class="none">{market.summary === undefined ? "—" : texts.noPrice}</span>
          : <><UnitSign unit={unit} /><Price value={latest.value} unit={unit} /><span class="visually-hidden"> {format.unitName(unit)}</span></>)}
      </td>
      <td role="cell" class="change">{bar || (latest !== undefined && (stale ? <span class="none">—</span> : <Change entry={entry} />))}</td>
      <td role="cell" class="difference">{latest !== undefined && (stale ? <span class="none">—</span> : <Difference entry={entry} />)}</td>
      <td role="cell" class="range">{!stale && <DayRange entry={entry} />}</td>
      <td role="cell" class="month"><Sparkline entry={entry} width={76} height={20} /></td>
      <td role="cell" class="age">
        {bar || (latest !== undefined && (
          <>{stale && <><Icon name="clock" /><span class="visually-hidden">{texts.stale} </span></>}
            <time dateTime={latest.businessTime} title={format.dateTime(latest.businessTime)}>{format.shortAge(Date.parse(latest.businessTime), now)}</time></>
        ))}
      </td>
    </tr>
  );
}

/** Where in the day's range the price stands: the lowest on the left in both languages, as on the axis of a chart. */
function DayRange({ entry: { latest, unit } }: { readonly entry: Entry }) {
  const { format, preferences } = usePage();
  if (latest?.day == null || latest.day.high === latest.day.low) return null;
  const { low, high } = latest.day;
  const at = 82 * ((latest.value - low) / (high - low));
  const text = `${MARKET[preferences.language].today}: ${format.priceNumber(low, unit)} – ${format.priceNumber(high, unit)}`;
  return (
    <svg role="img" aria-label={text} viewBox="-2 0 86 12" width="86" height="12">
      <title>{text}</title>
      <path class="rail-line" d="M0 6H82" />
      <path class="rail-mark" d={`M${Math.round(at * 10) / 10} 2v8`} />
    </svg>
  );
}
