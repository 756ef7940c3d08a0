import { useEffect, useState } from "preact/hooks";
import { DAY_MS, parseDate } from "../../../../core/internal.ts";
import type { AssetValue, CalendarDate } from "../../../../core/mod.ts";
import { marketDayOf } from "../format_values.ts";
import { directionOf } from "../market/price_numbers.tsx";
import { fill } from "../texts.ts";
import { DateField } from "../ui/date_field.tsx";
import { FailureBox } from "../ui/failure_box.tsx";
import { Icon } from "../ui/icon.tsx";
import { durationText } from "./chart_data.ts";
import { type DayRange, latestDays, parseDays, recordsCsv, requestsOf } from "./days.ts";
import { answerTo, daysCall } from "./price_calls.ts";
import { useAnswers } from "./use_answers.ts";
import type { Scene } from "./view.tsx";

/** Values of days up to that of the latest record, for a range that the visitor chooses. What a range costs is said before it is asked for. */
export function DaysSection({ scene, last }: { readonly scene: Scene; readonly last: number }) {
  const { texts, asset, version, place, settings, format, known } = scene;
  const lastDay = parseDate(marketDayOf(settings.marketTimeZone)(last))!;
  const range = parseDays(place.query.get("from"), place.query.get("to"), lastDay) ?? latestDays(lastDay);
  const { answers, failed } = useAnswers(
    requestsOf(range).map((days) => daysCall(asset.code, days)),
    version,
  );
  const done = answers.filter((answer) => answer !== undefined);
  const days = done.length === answers.length ? done.flat() : undefined;
  useEffect(() => {
    const newest = days?.at(-1);
    if (newest !== undefined) known.note(newest); // it can be newer than the market's answer
  }, [days?.at(-1)]);
  const span = { from: format.date(range.from), to: format.date(range.to) };
  const csv = {
    name: `${settings.isSample ? "sample_" : ""}${asset.code}_${range.from}_${range.to}.csv`,
    title: `${fill(texts.download, span)}. ${texts.csvNote}`,
  };
  const said =
    days &&
    (days.length === 0
      ? texts.noDays
      : fill(texts.daysShown, { days: durationText(days.length * DAY_MS, format), ...span }));
  return (
    <section class="sheet asset-history">
      <div class="sheet-head">
        <h2>{texts.history}</h2>
        {said !== undefined && (
          <span class="small">
            {said}. {fill(texts.daysNote, { zone: settings.marketTimeZone })}
          </span>
        )}
        {days !== undefined && days.length > 0 && (
          <button
            type="button"
            id="asset-csv"
            aria-label={csv.title}
            title={csv.title}
            onClick={() => saveFile(csv.name, recordsCsv(days))}
          >
            <Icon name="download" /> CSV
          </button>
        )}
      </div>
      <RangeForm key={`${range.from} ${range.to}`} scene={scene} range={range} lastDay={lastDay} />
      {failed && <FailureBox {...failed} />}
      {!days && !failed && (
        <p class="asset-progress">
          {fill(texts.progress, { done: format.number(done.length), all: format.number(answers.length) })}
        </p>
      )}
      {days !== undefined && (
        <div class="asset-table" role="region" tabIndex={0} aria-label={said}>
          <DaysTable scene={scene} days={days} />
        </div>
      )}
    </section>
  );
}

function RangeForm({
  scene,
  range,
  lastDay,
}: {
  readonly scene: Scene;
  readonly range: DayRange;
  readonly lastDay: CalendarDate;
}) {
  const { asset, texts, choose, format, key, live } = scene;
  const [from, setFrom] = useState<string>(range.from);
  const [to, setTo] = useState<string>(range.to);
  const wanted = parseDays(from, to, lastDay);

  function costText(): string {
    if (wanted === undefined) return fill(texts.daysWanted, { last: format.date(lastDay) });
    const units = requestsOf(wanted).filter((days) => answerTo(daysCall(asset.code, days), key) === undefined).length;
    const days = durationText(Date.parse(wanted.to) - Date.parse(wanted.from) + DAY_MS, format);
    const text = { range: `${format.date(wanted.from)} – ${format.date(wanted.to)}`, days };
    if (live.isFree) return `${text.range}. ${text.days}`;
    return units === 0 ? fill(texts.costNothing, text) : fill(texts.cost, { ...text, units: format.number(units) });
  }

  function submit(event: Event): void {
    event.preventDefault();
    if (wanted === undefined)
      document.getElementById("asset-from")!.focus(); // what is wrong is read out with the field
    else choose({ ...wanted });
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
  setTimeout(() => URL.revokeObjectURL(href), 60_000); // not at once: some browsers read it after the click
}

/** Newest first, each with its change against the one before it. */
function DaysTable({
  scene: { unit, texts, format, settings },
  days,
}: {
  readonly scene: Scene;
  readonly days: readonly AssetValue<string>[];
}) {
  const dayOf = marketDayOf(settings.marketTimeZone);
  const isJalali = format.locale.includes("-ca-persian");
  const otherDay = new Intl.DateTimeFormat(format.locale.replace(/-ca-\w+/, isJalali ? "-ca-gregory" : "-ca-persian"), {
    timeZone: "UTC",
    day: "numeric",
    month: "short",
  });
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{texts.day}</th>
          <td />
          {[`${texts.value} (${format.unitName(unit)})`, texts.change, texts.time].map((head) => (
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
              <tr key={date}>
                <th scope="row">{format.date(date)}</th>
                <td class="small">{otherDay.format(Date.parse(date)).replace(/ AP$/, "")}</td>
                <td class="asset-number">
                  <bdi class="n" dir="ltr">
                    {format.priceNumber(value, unit)}
                  </bdi>
                </td>
                <td class={`asset-number change-text ${directionOf(change)}`}>
                  {change !== undefined && (
                    <bdi class="n" dir="ltr">
                      {format.percent(change)}
                    </bdi>
                  )}
                </td>
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
