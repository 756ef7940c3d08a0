import { useEffect, useMemo, useState } from "preact/hooks";
import { dateOfDayNumber, dayNumber, parseDate } from "../../../../core/internal.ts";
import type { CalendarDate } from "../../../../core/mod.ts";
import type { MarketRow, PastDayRow, PastDaySummary } from "../../market_summary.ts";
import { addressOf, type Place } from "../data/addresses.ts";
import { marketDayOf } from "../data/format.ts";
import { fetchPastDay } from "../data/market.ts";
import { boardOf, type Entry, entriesOf, groupsOf, marketAddress, parseMarketChoice } from "../data/market_entries.ts";
import * as state from "../data/state.ts";
import { DateField, dayOf } from "../parts/fields.tsx";
import { Icon } from "../parts/icons.tsx";
import { MarketMenu } from "../parts/menu.tsx";
import { Change, Difference, Percent, Price, UnitSign } from "../parts/numbers.tsx";
import { FailureBox } from "../parts/problems.tsx";
import { TEXTS } from "../texts/built_past_day.ts";
import { fill } from "../texts/fill.ts";
import { Rail } from "./convert.tsx";
import { Chips } from "./market_chips.tsx";

const { settings } = state;
const marketDay = marketDayOf(settings.marketTimeZone);

/** The market at the end of a past day: `#/market?day=1405-05-31`, or `day=2026-08-22`. Nothing in it is live but the change to now. */
export function View({ query }: Pick<Place, "query">) {
  const page = state.texts.value;
  const language = state.language.value;
  const texts = TEXTS[language];
  const today = marketDay(state.now.value);
  const asked = parseDate(dayOf(query.get("day")!) ?? "");
  const day = asked !== undefined && asked <= today ? asked : undefined;
  const { summary, failed } = usePastDay(day);
  const known = useMemo(() => new Map(summary?.assets.map((row) => [row.code, row])), [summary]);
  const rows = useMemo(() => new Map(summary?.assets.flatMap(withRecord).map((row) => [row.code, row])), [summary]);
  const choice = parseMarketChoice(query);
  const entries = entriesOf(settings.assets, rows, language).filter(({ asset }) => known.has(asset.code));
  const groups = groupsOf(entries, new Set());
  const watched = entries.filter(({ asset }) => state.watched.value.has(asset.code));
  const all = watched.length > 0 ? [{ name: "WATCH" as const, entries: watched }, ...groups] : groups;
  const shown = choice.category === "" ? groups : all.filter(({ name }) => name === choice.category);
  const head = (look: string, text: string) => (
    <th scope="col" role="columnheader" class={look}>
      {text}
    </th>
  );
  const row = (entry: Entry) => <Row key={entry.asset.code} entry={entry} past={known.get(entry.asset.code)!} />;
  return (
    <div class="market-view past-day">
      <h1 class="visually-hidden">{page.market}</h1>
      <Band day={day} today={today as CalendarDate} />
      {failed && <FailureBox {...failed} />}
      {summary === undefined && !failed && <p class="loading">{day === undefined ? texts.unknown : page.loading}</p>}
      {summary !== undefined && (
        <>
          <div class="board">
            {boardOf(settings.assets, known).map(({ code }, at) => (
              <Tile
                key={code}
                entry={entries.find(({ asset }) => asset.code === code)!}
                past={known.get(code)!}
                isHero={at === 0}
              />
            ))}
          </div>
          <div class="market-bar">
            <Chips groups={all.filter(({ name }) => name !== "NONE")} choice={choice} />
            <MarketMenu
              entries={shown.flatMap((group) => group.entries)}
              when={`${state.format.value.date(summary.day)}, ${texts.endOfDay}`}
            />
          </div>
          <div class="sheet">
            <table class="market" role="table" aria-label={page.table}>
              <thead role="rowgroup">
                <tr role="row">
                  <td role="cell" class="star" />
                  {head("asset", page.columns.name)}
                  <td role="cell" class="ticker" />
                  {head("price", page.columns.price)}
                  <td role="cell" class="change" />
                  {head("difference", texts.change)}
                  {head("month", texts.fromThen)}
                  {head("age", texts.hour)}
                </tr>
              </thead>
              {shown.map((group) => (
                <tbody key={group.name} role="rowgroup">
                  <tr role="row" class="group">
                    <th role="rowheader" colSpan={8} scope="rowgroup">
                      <strong>{group.name === "NONE" ? texts.without : page.groups[group.name]}</strong>
                    </th>
                  </tr>
                  {group.entries.map(row)}
                </tbody>
              ))}
            </table>
          </div>
          <aside class="rail">
            <Rail key={summary.day} code="USD_RLS" past={{ day: summary.day, rows }} />
          </aside>
        </>
      )}
    </div>
  );
}

/** The prices of a day, anew with each visit of it. */
function usePastDay(day: string | undefined) {
  const [answer, setAnswer] = useState<{
    readonly day: string;
    readonly came: PastDaySummary | { readonly thrown: unknown };
  }>();
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isLeft = false;
    const take = (came: NonNullable<typeof answer>["came"]): void => void (isLeft || setAnswer({ day: day!, came }));
    setAnswer(undefined);
    if (day !== undefined)
      fetchPastDay(state.access.value, state.baseUrl, day).then(take, (thrown: unknown) => take({ thrown }));
    return () => void (isLeft = true);
  }, [day, tries]);
  const came = answer?.day === day ? answer?.came : undefined;
  if (came === undefined || "assets" in came) return { summary: came, failed: undefined };
  return { summary: undefined, failed: { thrown: came.thrown, retry: () => setTries(tries + 1) } };
}

/** A row of that day as the table has those of today. */
function withRecord({ code, last, before }: PastDayRow): readonly MarketRow[] {
  return last === null ? [] : [{ code, version: "", ...last, before, day: null, days: [] }];
}

/** Which day this is, the days around it, and the way back. It stays in view, so that nobody takes old prices for those of today. */
function Band({ day, today }: { readonly day: CalendarDate | undefined; readonly today: CalendarDate }) {
  const texts = TEXTS[state.language.value];
  const { locale, date, number } = state.format.value;
  const choice = parseMarketChoice(state.place.value.query);
  const go = (to: string): void =>
    void (to !== "" && to !== day && (location.hash = marketAddress({ ...choice, day: to })));
  const step = (label: "before" | "after", by: 1 | -1, sign: string) => {
    const to = day && dateOfDayNumber(dayNumber(day) + by);
    if (to === undefined || to > today) return null;
    const name = fill(texts[label], { day: date(to) });
    return (
      <button type="button" id={`past-${label}`} class="quiet" aria-label={name} title={name} onClick={() => go(to)}>
        {sign}
      </button>
    );
  };
  const weekday = new Intl.DateTimeFormat(locale, { timeZone: "UTC", weekday: "long" });
  return (
    <div class="day-band" role="group" aria-label={texts.field}>
      <p id="past-note">
        <Icon name="calendar" />{" "}
        {day !== undefined && (
          <>
            <strong>
              {weekday.format(Date.parse(day))} {date(day)}
            </strong>{" "}
            <span>{fill(texts.ago, { days: number(dayNumber(today) - dayNumber(day)) })}</span>
          </>
        )}
      </p>
      <span class="day-steps">
        {step("before", -1, state.language.value === "fa" ? "›" : "‹")}
        <label class="visually-hidden" for="past-field">
          {texts.field}
        </label>
        <DateField id="past-field" value={day ?? ""} max={today} describedBy="past-note" isStrict change={go} />
        {step("after", 1, state.language.value === "fa" ? "‹" : "›")}
        <a id="past-today" href={marketAddress({ ...choice, day: "" })}>
          {texts.today}
        </a>
      </span>
    </div>
  );
}

interface PastProps {
  readonly entry: Entry;
  readonly past: PastDayRow;
}

/** How the price of that day came to the one of now. */
function ToNow({ entry: { asset, latest } }: Pick<PastProps, "entry">) {
  const now = state.rows.value.get(asset.code)?.value;
  return latest === undefined || now === undefined ? null : <Percent ratio={now / latest.value - 1} />;
}

function NoRecord({ entry: { unit }, past: { before } }: PastProps) {
  const { date, price } = state.format.value;
  const values = { day: date(before!.date), price: price(before!.value, unit) };
  return <span class="small">{fill(TEXTS[state.language.value].noRecord, values)}</span>;
}

function Tile({ entry, past, isHero }: PastProps & { readonly isHero: boolean }) {
  const texts = TEXTS[state.language.value];
  const { asset, name, unit, latest } = entry;
  return (
    <a class={isHero ? "tile hero" : "tile"} href={addressOf("asset", asset.code)}>
      <span class="tile-text">
        <span class="tile-head">
          <bdi>{name}</bdi> <span class="small">{state.format.value.unitName(unit)}</span>
        </span>
        <span class="tile-price">{latest ? <Price value={latest.value} unit={unit} /> : "—"}</span>
        {latest === undefined ? (
          <NoRecord entry={entry} past={past} />
        ) : (
          <span class="tile-change">
            <Change latest={latest} />{" "}
            {isHero && (
              <span class="small">
                <Difference latest={latest} unit={unit} /> {texts.onDay}
              </span>
            )}
          </span>
        )}
      </span>
      {latest !== undefined && (
        <span class="small">
          {isHero ? texts.fromThen : texts.toNow} <ToNow entry={entry} />
        </span>
      )}
    </a>
  );
}

function Row({ entry, past }: PastProps) {
  const { asset, name, unit, latest } = entry;
  const { time } = state.format.value;
  return (
    <tr role="row">
      <td role="cell" class="star" />
      <th scope="row" role="rowheader" class="asset">
        <a id={`row-${asset.code}`} href={addressOf("asset", asset.code)}>
          <bdi>{name}</bdi>
        </a>
      </th>
      <td role="cell" class="ticker">
        <code dir="ltr" title={asset.code}>
          {asset.baseCode}
        </code>
      </td>
      {latest === undefined ? (
        <td role="cell" class="no-record" colSpan={4}>
          — <NoRecord entry={entry} past={past} />
        </td>
      ) : (
        <>
          <td role="cell" class="price">
            <UnitSign unit={unit} />
            <Price value={latest.value} unit={unit} />
          </td>
          <td role="cell" class="change">
            <Change latest={latest} />
          </td>
          <td role="cell" class="small difference">
            <Difference latest={latest} unit={unit} />
          </td>
          <td role="cell" class="month">
            <ToNow entry={entry} />
          </td>
          <td role="cell" class="small age">
            <time class="n" dateTime={latest.businessTime}>
              {time(latest.businessTime)}
            </time>
          </td>
        </>
      )}
    </tr>
  );
}
