import { useEffect, useMemo, useState } from "preact/hooks";
import { dateOfDayNumber, dayNumber, parseDate } from "../../../../core/internal.ts";
import type { CalendarDate } from "../../../../core/mod.ts";
import type { MarketRow, PastDayRow, PastDaySummary } from "../../market_summary.ts";
import type { Place } from "../data/addresses.ts";
import { fetchMarket } from "../data/market.ts";
import {
  boardOf,
  chosenGroups,
  type Entry,
  entriesOf,
  marketAddress,
  parseMarketChoice,
} from "../data/market_entries.ts";
import * as state from "../data/state.ts";
import { DateField, dayOf } from "../parts/fields.tsx";
import { icon } from "../parts/icons.tsx";
import { FailureBox } from "../parts/lazy_parts.tsx";
import { MarketMenu } from "../parts/menu.tsx";
import { Percent } from "../parts/numbers.tsx";
import { TEXTS } from "../texts/built_past_day.ts";
import { fill } from "../texts/fill.ts";
import { Tile } from "./board.tsx";
import { Rail } from "./convert.tsx";
import { Chips } from "./market.tsx";
import { MarketTable } from "./market_table.tsx";

const { settings } = state;

/** The market at the end of a past day: `#/market?day=1405-05-31`. Only the change from that day to now is updated. */
export function View({ query }: Pick<Place, "query">) {
  const page = state.texts.value;
  const language = state.language.value;
  const texts = TEXTS[language];
  const format = state.format.value;
  const today = state.today.value;
  const asked = parseDate(dayOf(query.get("day")!) ?? "");
  const day = asked !== undefined && asked <= today ? asked : undefined;
  const { summary, failed } = usePastDay(day);
  const known = useMemo(() => new Map(summary?.assets.map((row) => [row.code, row])), [summary]);
  const rows = useMemo(() => new Map(summary?.assets.flatMap(withRecord)), [summary]);
  const choice = parseMarketChoice(query);
  const entries = entriesOf(settings.assets, rows, language).filter(({ asset }) => known.has(asset.code));
  const { all, shown } = chosenGroups(entries, state.watched.value, choice.category);
  const noRecord = ({ asset, unit }: Entry) => {
    const { date, value } = known.get(asset.code)!.before!;
    return fill(texts.noRecord, { day: format.date(date), price: format.price(value, unit) });
  };
  const toNow = ({ asset, latest }: Entry) => {
    const now = state.rows.value.get(asset.code)?.value;
    return latest && now !== undefined && <Percent ratio={now / latest.value - 1} />;
  };
  const cells = {
    day: day ?? "",
    heads: { change: texts.change, range: texts.fromThen, age: texts.hour, none: texts.without },
    none: (entry: Entry) => <span class="small no-record">— {noRecord(entry)}</span>,
    range: toNow,
    age: ({ latest }: Entry) => <span class="n">{latest && format.time(latest.businessTime)}</span>,
  };
  return (
    <div class="market-view past-day">
      <h1 class="visually-hidden">{page.market}</h1>
      <Band day={day} today={today as CalendarDate} />
      {failed && <FailureBox {...failed} />}
      {summary === undefined && !failed && <p class="loading">{day === undefined ? texts.unknown : page.loading}</p>}
      {summary !== undefined && (
        <>
          <div class="board">
            {boardOf(settings.assets, known).map(({ code }, at) => {
              const entry = entries.find(({ asset }) => asset.code === code)!;
              const change = [at === 0 ? texts.fromThen : texts.toNow, " ", toNow(entry)];
              const past = { day: summary.day, note: entry.latest ? change : noRecord(entry) };
              return <Tile key={code} entry={entry} isHero={at === 0} past={past} />;
            })}
          </div>
          <aside class="rail">
            <Rail key={summary.day} code="USD_RLS" past={{ day: summary.day, rows }} />
          </aside>
          <div class="market-bar">
            <Chips groups={all.filter(({ name }) => name !== "NONE")} choice={choice} />
            <MarketMenu
              entries={shown.flatMap((group) => group.entries)}
              when={`${format.date(summary.day)}, ${texts.endOfDay}`}
            />
          </div>
          <div class="sheet">
            <MarketTable groups={shown} choice={choice} past={cells} />
          </div>
        </>
      )}
    </div>
  );
}

/** The prices of a day, which are loaded again on each visit. */
function usePastDay(day: string | undefined) {
  const [tries, setTries] = useState(0);
  const [answer, setAnswer] = useState<{ readonly day: string; summary?: PastDaySummary; thrown?: unknown }>();
  useEffect(() => {
    let isLeft = false;
    const take = (came: Partial<typeof answer>): void => void (isLeft || setAnswer({ day: day!, ...came }));
    if (day !== undefined)
      fetchMarket<PastDaySummary>(state.access.value, `${state.baseUrl}/docs/market/${day}`).then(
        (summary) => take({ summary }),
        (thrown: unknown) => take({ thrown }),
      );
    return () => void (isLeft = true);
  }, [day, tries]);
  const { summary, thrown } = (answer?.day === day && answer) || {};
  return { summary, failed: thrown ? { thrown, retry: () => setTries(tries + 1) } : undefined };
}

/** Converts a row of that day to the type of today's rows. */
function withRecord({ code, last, before }: PastDayRow): readonly (readonly [code: string, row: MarketRow])[] {
  return last === null ? [] : [[code, { code, version: "", ...last, before, day: null, days: [] }]];
}

/** The day and links to other days. Always visible, so that nobody mistakes old prices for today's prices. */
function Band({ day, today }: { readonly day: CalendarDate | undefined; readonly today: CalendarDate }) {
  const language = state.language.value;
  const texts = TEXTS[language];
  const { locale, date, shortDate, number } = state.format.value;
  const choice = parseMarketChoice(state.place.value.query);
  const forward = language === "fa" ? -1 : 1; // the key for the next day depends on the reading direction
  const dayAt = (by: number): string | undefined => {
    const to = day && dateOfDayNumber(dayNumber(day) + by);
    return to && to <= today ? to : undefined;
  };
  function go(to: string | undefined): void {
    if (to && to !== day) location.hash = marketAddress({ ...choice, day: to });
  }
  const step = (label: "before" | "after", by: 1 | -1) => {
    const to = dayAt(by);
    if (to === undefined) return null;
    const name = fill(texts[label], { day: date(to) });
    return (
      <button id={`past-${label}`} class="quiet" aria-label={name} title={name} onClick={() => go(to)}>
        {by < 0 && "‹"} <span class="wide-only">{shortDate(to, Date.parse(today))}</span> {by > 0 && "›"}
      </button>
    );
  };
  /** If the field has a valid day, the arrow keys go to the previous or the next day. */
  function press(event: KeyboardEvent): void {
    const way = { ArrowLeft: -forward, ArrowRight: forward }[event.key];
    const { id, value } = event.target as HTMLInputElement;
    if (way === undefined || id !== "past-field" || dayOf(value) !== day) return;
    event.preventDefault();
    go(dayAt(way));
  }
  const weekday = new Intl.DateTimeFormat(locale, { timeZone: "UTC", weekday: "long" });
  return (
    <div class="day-band" role="group" aria-label={texts.field}>
      <p id="past-note">
        {icon("calendar")}{" "}
        {day !== undefined && (
          <>
            <strong>
              {weekday.format(Date.parse(day))} {date(day)}
            </strong>{" "}
            <span>{fill(texts.ago, { days: number(dayNumber(today) - dayNumber(day)) })}</span>
          </>
        )}
      </p>
      <span class="day-steps" onKeyDown={press}>
        {step("before", -1)}
        <label class="visually-hidden" for="past-field">
          {texts.field}
        </label>
        <DateField id="past-field" value={day ?? ""} max={today} describedBy="past-note" isStrict change={go} />
        {step("after", 1)}
        <a id="past-today" href={marketAddress({ ...choice, day: "" })}>
          {texts.today}
        </a>
      </span>
    </div>
  );
}
