import { useEffect, useState } from "preact/hooks";
import { DAY_MS, parseDate } from "../../../../core/internal.ts";
import type { AssetValue, CalendarDate } from "../../../../core/mod.ts";
import { answerTo, candlesCall, daysCall } from "../data/answers.ts";
import { durationText } from "../data/bars.ts";
import { type DayRange, extremesOf, latestDays, parseDays, recordsCsv, requestsOf, windowsOf } from "../data/ranges.ts";
import * as state from "../data/state.ts";
import { DateField, dayOf as readDay } from "../parts/fields.tsx";
import { icon } from "../parts/icons.tsx";
import { FailureBox } from "../parts/lazy_parts.tsx";
import { num, Percent } from "../parts/numbers.tsx";
import { useAnswers } from "../parts/use_answers.ts";
import { fill } from "../texts/fill.ts";
import type { Scene } from "./asset_scene.ts";

const { settings, dayOf } = state;

/** The values of the days in a range that the visitor chooses. The cost is shown before the request. */
export function DaysSection({ scene, last }: { readonly scene: Scene; readonly last: number }) {
  const { texts, asset, query } = scene;
  const format = state.format.value;
  const lastDay = parseDate(dayOf(last))!;
  const { past } = scene.moment;
  const latest = latestDays(lastDay);
  const usual = past === undefined || past >= latest.from ? latest : latestDays(past);
  const range = parseDays(query.get("from"), query.get("to"), lastDay) ?? usual;
  const { answers, failed } = useAnswers(requestsOf(range).map((days) => daysCall(asset.code, days)));
  const done = answers.filter((answer) => answer !== undefined);
  const days = done.length === answers.length ? done.flat() : undefined;
  const [isWanted, want] = useState(false);
  const windows = windowsOf(range).map((window) => candlesCall(asset.code, window));
  const quarters = useAnswers(isWanted ? windows : []);
  const candles = quarters.answers.flatMap((answer = []) => answer);
  const extremes = isWanted ? extremesOf(candles, dayOf) : undefined;
  useEffect(() => {
    const newest = days?.at(-1);
    if (newest !== undefined) state.known.value.note(newest); // this record can be newer than the market's answer
  }, [days?.at(-1)]);
  const span = { from: format.date(range.from), to: format.date(range.to) };
  const file = `${settings.isSample ? "sample_" : ""}${asset.code}_${range.from}_${range.to}.csv`;
  const title = `${fill(texts.download, span)}. ${texts.csvNote}`;
  let label = days && fill(texts.daysShown, { days: durationText(days.length * DAY_MS, format), ...span });
  if (days?.length === 0) label = texts.noDays;
  const units = { units: format.number(windows.length) };
  return (
    <section class="sheet asset-history">
      <div class="sheet-head">
        <h2>{texts.history}</h2>
        {label !== undefined && (
          <span class="small">
            {label}. {fill(texts.daysNote, { zone: settings.marketTimeZone })}
          </span>
        )}
        {days !== undefined && days.length > 0 && (
          <>
            {!isWanted && (
              <button id="asset-extremes" class="quiet" onClick={() => want(true)}>
                {state.isFree.value ? texts.lowAndHigh : fill(texts.lowAndHighCost, units)}
              </button>
            )}
            <button id="asset-csv" aria-label={title} title={title} onClick={() => saveFile(file, recordsCsv(days))}>
              {icon("download")} CSV
            </button>
          </>
        )}
      </div>
      <RangeForm key={`${range.from} ${range.to}`} scene={scene} range={range} lastDay={lastDay} />
      {(failed ?? quarters.failed) && <FailureBox {...(failed ?? quarters.failed)!} />}
      {!days && !failed && (
        <p class="asset-progress">
          {fill(texts.progress, { done: format.number(done.length), all: format.number(answers.length) })}
        </p>
      )}
      {days !== undefined && (
        <div class="asset-table" role="region" tabIndex={0} aria-label={label}>
          <DaysTable {...scene} days={days} extremes={extremes} />
        </div>
      )}
    </section>
  );
}

type RangeFormProps = Readonly<{ scene: Scene; range: DayRange; lastDay: CalendarDate }>;

function RangeForm({ scene: { asset, texts, choose }, range, lastDay }: RangeFormProps) {
  const format = state.format.value;
  const [from, setFrom] = useState<string>(range.from);
  const [to, setTo] = useState<string>(range.to);
  const wanted = parseDays(from, to, lastDay);

  function costText(): string {
    if (wanted === undefined) return fill(texts.daysWanted, { last: format.date(lastDay) });
    const calls = requestsOf(wanted).map((days) => daysCall(asset.code, days));
    const units = calls.filter((call) => answerTo(call, state.key.value) === undefined).length;
    const days = durationText(Date.parse(wanted.to) - Date.parse(wanted.from) + DAY_MS, format);
    const range = `${format.date(wanted.from)} – ${format.date(wanted.to)}`;
    if (state.isFree.value) return `${range}. ${days}`;
    return fill(units === 0 ? texts.costNothing : texts.cost, { range, days, units: format.number(units) });
  }

  /** A field whose text is not a day has kept its last day, which the visitor did not ask for. */
  function submit(event: Event): void {
    event.preventDefault();
    const days = { "asset-from": from, "asset-to": to };
    const fields = Object.keys(days).map((id) => document.getElementById(id) as HTMLInputElement);
    let wrong = fields.find(({ id, value }) => readDay(value) !== days[id as keyof typeof days]);
    if (wanted === undefined) wrong ??= fields[0];
    wrong?.blur(); // a field reports an unfinished day when it loses the focus
    wrong?.focus(); // screen readers announce the error with the field
    if (wanted && !wrong) choose({ ...wanted });
  }

  const field = { max: lastDay, describedBy: "asset-cost" };
  return (
    <form class="asset-days" noValidate onSubmit={submit}>
      <label>
        <span>{texts.from}</span> <DateField id="asset-from" value={from} change={setFrom} {...field} />
      </label>
      <label>
        <span>{texts.to}</span> <DateField id="asset-to" value={to} change={setTo} {...field} />
      </label>
      <button id="asset-show">{texts.show}</button>
      <p class="small asset-cost" id="asset-cost" aria-live="polite">
        {costText()}
      </p>
    </form>
  );
}

function saveFile(download: string, text: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  Object.assign(document.createElement("a"), { href, download }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // some browsers read the URL only after the click
}

type DaysTableProps = Readonly<{
  days: readonly AssetValue<string>[];
  extremes: ReturnType<typeof extremesOf> | undefined;
}>;

/** The days, newest first, each with its change since the previous day and, if the visitor asked, its low and high. */
function DaysTable({ unit, texts, moment, days, extremes }: Scene & DaysTableProps) {
  const format = state.format.value;
  const value = `${texts.value} (${format.unitName(unit)})`;
  const otherLocale = format.locale.replace(/-ca-\w+/, state.language.value === "fa" ? "-ca-gregory" : "-ca-persian");
  const otherDay = new Intl.DateTimeFormat(otherLocale, { timeZone: "UTC", day: "numeric", month: "short" });
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{texts.day}</th>
          <td />
          {[value, ...(extremes ? [texts.low, texts.high] : []), texts.change, texts.time].map((head) => (
            <th key={head} scope="col" class="asset-number">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days
          .map(({ value, businessTime }, at) => {
            const date = dayOf(Date.parse(businessTime));
            const before = days[at - 1]?.value;
            const change = before ? value / before - 1 : undefined;
            return (
              <tr key={date} aria-current={date === moment.past ? "date" : undefined}>
                <th scope="row">{format.date(date)}</th>
                <td class="small">{otherDay.format(Date.parse(date)).replace(/ AP$/, "")}</td>
                <td class="asset-number">{num(format.priceNumber(value, unit))}</td>
                {extremes &&
                  (["low", "high"] as const).map((end) => (
                    <td key={end} class="asset-number">
                      {num(extremes.has(date) ? format.priceNumber(extremes.get(date)![end], unit) : "—")}
                    </td>
                  ))}
                <td class="asset-number">{change !== undefined && <Percent ratio={change} />}</td>
                <td class="asset-number">
                  <time class="n" dateTime={businessTime}>
                    {format.time(businessTime)}
                  </time>
                </td>
              </tr>
            );
          })
          .reverse()}
      </tbody>
    </table>
  );
}
