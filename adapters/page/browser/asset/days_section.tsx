import { useEffect, useState } from "preact/hooks";
import type { AssetValue } from "../../../../core/mod.ts";
import { usePage } from "../context.ts";
import { directionOf } from "../market/sparkline.tsx";
import { DateField } from "../ui/date_field.tsx";
import { FailureBox } from "../ui/failure_box.tsx";
import { Icon } from "../ui/icon.tsx";
import { withChanges } from "./changes.ts";
import { csvFileName, recordsCsv } from "./csv.ts";
import { daysIn, latestDays, parseDays, requestsOf } from "./days.ts";
import type { DayRange } from "./days.ts";
import { RequestLine } from "./request_line.tsx";
import type { Scene } from "./scene.ts";

const COST_ID = "asset-cost";

/** Values of days, for a range that the visitor chooses. What a range costs is said before it is asked for. */
export function DaysSection({ scene, records }: { readonly scene: Scene; readonly records: DayRange }) {
  const { place, settings, format } = usePage();
  const { choice, texts } = scene;
  const chosen = choice.days && parseDays(choice.days.from, choice.days.to, records);
  const range = chosen === undefined || typeof chosen === "string" ? latestDays(records.to, records.from) : chosen;
  const isRefused = (place.query.has("from") || place.query.has("to")) && range !== chosen;
  const { days, done, requests, thrown, retry } = useDays(scene, range);
  const said = days === undefined ? "" : texts.daysShown(days.length, format.date(range.from), format.date(range.to), format.number);
  return (
    <section class="sheet asset-history" aria-labelledby="asset-history-title">
      <div class="sheet-head">
        <h2 id="asset-history-title">{texts.history}</h2>
        <span class="small">{days !== undefined && `${said}. ${texts.daysNote(settings.marketTimeZone)}`}</span>
        {days !== undefined && days.length > 0 && <CsvButton scene={scene} range={range} days={days} />}
      </div>
      {isRefused && <p class="small asset-refused">{texts.refusedDays}</p>}
      <RangeForm key={`${range.from} ${range.to}`} scene={scene} records={records} range={range} />
      {thrown !== undefined && <FailureBox thrown={thrown.error} retry={retry} />}
      {days === undefined && thrown === undefined && (
        <p class="asset-progress">
          <progress max={requests} value={done} aria-labelledby="asset-progress" /> <span id="asset-progress">{texts.progress(done, requests, format.number)}</span>
        </p>
      )}
      {days !== undefined && (days.length === 0
        ? <p class="nothing">{texts.noDays}</p>
        : <div class="asset-table" role="region" tabIndex={0} aria-label={said}><DaysTable scene={scene} days={days} /></div>)}
      <div class="asset-calls"><RequestLine call={scene.questions.days(requestsOf(range)[0]!).call} /></div>
    </section>
  );
}

/** The values of a range, asked for one request after the other: a burst could pass the server's limit of requests in a short time. */
function useDays({ questions }: Scene, range: DayRange) {
  const asked = requestsOf(range).map(questions.days);
  const [, redraw] = useState({});
  const [tries, setTries] = useState(0);
  const [thrown, setThrown] = useState<{ readonly error: unknown }>();
  const answers = asked.map((question) => question.answer());
  const done = answers.filter((answer) => answer !== undefined).length;

  useEffect(() => {
    let isLeft = false;
    setThrown(undefined);
    const load = async (): Promise<void> => {
      for (const question of asked) {
        if (question.answer() !== undefined) continue;
        const outcome = await question.ask();
        if (isLeft) return;
        if (!outcome.ok) return setThrown({ error: outcome.error });
        redraw({});
      }
    };
    void load();
    return () => {
      isLeft = true;
    };
  }, [range.from, range.to, tries]);
  const days = done < asked.length ? undefined : answers.flatMap((answer) => (answer?.ok === true ? answer.value : []));
  return { days, done, requests: asked.length, thrown, retry: () => setTries(tries + 1) };
}

function RangeForm({ scene, records, range }: { readonly scene: Scene; readonly records: DayRange; readonly range: DayRange }) {
  const { asset, questions, texts, choose } = scene;
  const { format } = usePage();
  const [from, setFrom] = useState<string>(range.from);
  const [to, setTo] = useState<string>(range.to);
  const wanted = parseDays(from, to, records);
  const isOther = typeof wanted === "string" || wanted.from !== range.from || wanted.to !== range.to;

  /** What the range costs, or what is wrong with it. */
  function costText(): string {
    if (wanted === "outside") return texts.outside(format.date(records.from), format.date(records.to));
    if (typeof wanted === "string") return texts[wanted];
    const units = requestsOf(wanted).filter((request) => questions.days(request).answer() === undefined).length;
    const price = units === 0 ? texts.costNothing(daysIn(wanted), format.number) : texts.cost(daysIn(wanted), units, format.number);
    return `${format.date(wanted.from)} – ${format.date(wanted.to)}. ${price}`;
  }

  function submit(event: Event): void {
    event.preventDefault();
    if (typeof wanted === "string") document.getElementById(`asset-from-${asset.code}`)!.focus(); // what is wrong is read out with the field
    else choose({ days: wanted });
  }

  const field = { min: records.from, max: records.to, describedBy: COST_ID, hint: texts.jalaliHint };
  return (
    <form class="asset-days" noValidate onSubmit={submit}>
      <label><span>{texts.from}</span> <DateField id={`asset-from-${asset.code}`} value={from} change={setFrom} {...field} /></label>
      <label><span>{texts.to}</span> <DateField id={`asset-to-${asset.code}`} value={to} change={setTo} {...field} /></label>
      <button id="asset-show">{texts.show}</button>
      <p class="small asset-cost" id={COST_ID} aria-live="polite">{costText()}{isOther && ` ${texts.stillShown(format.date(range.from), format.date(range.to))}`}</p>
    </form>
  );
}

function CsvButton({ scene: { asset, unit, texts }, range, days }: { readonly scene: Scene; readonly range: DayRange; readonly days: readonly AssetValue<string>[] }) {
  const { settings, format } = usePage();
  const unitOfApi = unit === "POINT" ? format.unitName(unit) : asset.quoteUnit === "USD" ? texts.units.USD : texts.units.RLS;
  const title = `${texts.download(format.date(range.from), format.date(range.to))}. ${texts.csvNote(unitOfApi)}`;
  return (
    <button type="button" id="asset-csv" aria-label={title} title={title} onClick={() => save(csvFileName(asset.code, range, settings.isSample), recordsCsv(days))}>
      <Icon name="download" /> CSV
    </button>
  );
}

function DaysTable({ scene: { unit, texts, dayOf }, days }: { readonly scene: Scene; readonly days: readonly AssetValue<string>[] }) {
  const { format, preferences } = usePage();
  const otherDay = new Intl.DateTimeFormat(otherCalendar(format.locale), { timeZone: "UTC", day: "numeric", month: "short" });
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{texts.day}</th>
          <td />
          {[`${texts.value} (${format.unitName(unit)})`, texts.change, texts.time].map((head) => <th key={head} scope="col" class="asset-number">{head}</th>)}
        </tr>
      </thead>
      <tbody>
        {withChanges(days).map(({ day, change }) => {
          const date = dayOf(Date.parse(day.businessTime));
          return (
            <tr key={date}>
              <th scope="row">{format.date(date)}</th>
              <td class="small" lang={preferences.language}>{otherDay.format(Date.parse(date)).replace(/ AP$/, "")}</td>
              <td class="asset-number"><bdi class="n" dir="ltr">{format.priceNumber(day.value, unit)}</bdi></td>
              <td class={`asset-number ${directionOf(change)}`}>{change !== undefined && <bdi class="n" dir="ltr">{format.percent(change)}</bdi>}</td>
              <td class="asset-number"><time class="n" dateTime={day.businessTime}>{format.time(day.businessTime)}</time></td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The same locale with the calendar that is not chosen, which stands beside each day. */
function otherCalendar(locale: string): string {
  return locale.includes("ca-persian") ? locale.replace("ca-persian", "ca-gregory") : locale.replace("ca-gregory", "ca-persian");
}

/** Gives the visitor a file. */
function save(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // not at once: some browsers read it after the click
}
