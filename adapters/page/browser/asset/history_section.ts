import { h, replaceContent } from "../dom.ts";
import { failureBox } from "../failure_box.ts";
import { parseDate } from "../../../../core/internal.ts";
import type { AssetValue } from "../../../../core/mod.ts";
import type { Call } from "./calls.ts";
import { daysIn, latestDays, parseDays, requestsOf } from "./days.ts";
import type { DayRange } from "./days.ts";
import { historyTable } from "./history_table.ts";
import { choose } from "./scene.ts";
import type { Scene } from "./scene.ts";

/** What the section is drawn from. */
export interface HistoryDrawing {
  /** The days of the first and the latest record. */
  readonly records: DayRange;
  /** Takes each call that is behind what is seen. */
  note(call: Call): void;
}

/** Values of days, for a range that the visitor chooses. What a range costs is said before it is asked for. */
export function historySection(scene: Scene, { records, note }: HistoryDrawing): HTMLElement {
  const { context, choice, texts } = scene;
  const { format, signal } = context;
  const chosen = choice.days && parseDays(choice.days.from, choice.days.to, records);
  const range = chosen === undefined || typeof chosen === "string" ? latestDays(records.to, records.from) : chosen;
  const isRefused = (context.place.query.has("from") || context.place.query.has("to")) && range !== chosen;
  const days = answeredDays(scene, range, note);
  let isShown = days !== undefined && days.length > 0;
  const from = dateField(scene, { name: "from", value: range.from, records }, showCost);
  const to = dateField(scene, { name: "to", value: range.to, records }, showCost);
  const cost = h("p", { class: "small asset-cost", id: COST_ID, "aria-live": "polite" });
  const result = h("div", {});
  const jalali = { from: h("span"), to: h("span") };

  function showCost(): void {
    const wanted = parseDays(from.value, to.value, records);
    const isOther = typeof wanted === "string" || wanted.from !== range.from || wanted.to !== range.to;
    cost.textContent = costText(scene, wanted, records);
    if (isShown && isOther) cost.textContent += ` ${texts.stillShown(format.date(range.from), format.date(range.to))}`;
    jalali.from.textContent = jalaliDay(scene, from.value);
    jalali.to.textContent = jalaliDay(scene, to.value);
  }

  async function load(wanted: DayRange): Promise<void> {
    if (result.querySelector("progress") !== null) return; // one at a time
    const requests = requestsOf(wanted).map(scene.questions.days);
    const progress = h("progress", { max: requests.length, value: 0, "aria-labelledby": "asset-progress" });
    const words = h("span", { id: "asset-progress" });
    isShown = false;
    replaceContent(result, h("p", { class: "asset-progress" }, progress, " ", words));
    for (const [done, request] of requests.entries()) {
      progress.value = done;
      words.textContent = texts.progress(done, requests.length, format.number);
      note(request.call);
      const outcome = await request.ask(); // one after the other: a burst could pass the server's limit of requests in a short time
      if (signal.aborted) return;
      if (!outcome.ok) return replaceContent(result, failureBox(outcome.error, context, () => void load(wanted)));
    }
    context.announce(texts.progress(requests.length, requests.length, format.number));
    choose(scene, { days: wanted });
  }

  function submit(event: Event): void {
    event.preventDefault();
    const wanted = parseDays(from.value, to.value, records);
    if (typeof wanted === "string") from.focus(); // what is wrong stands below, and is read out with the field
    else void load(wanted);
  }

  showCost();
  queueMicrotask(showCost); // where the view is drawn anew, the fields get back what was typed into them
  if (days !== undefined) result.append(...historyTable(scene, range, days));
  return h(
    "section",
    { class: "asset-history", "aria-labelledby": "asset-history-title" },
    h("h2", { id: "asset-history-title" }, texts.history),
    isRefused && h("p", { class: "small asset-refused" }, texts.refusedDays),
    h(
      "form",
      { class: "asset-days", novalidate: true, onsubmit: submit },
      h("label", {}, h("span", {}, texts.from), from, jalali.from),
      h("label", {}, h("span", {}, texts.to), to, jalali.to),
      h("button", { id: "asset-show", class: "primary" }, texts.show),
      cost,
    ),
    result,
  );
}

/** The place of the section while its first answer is on its way. */
export function emptyHistory({ texts }: Scene): HTMLElement {
  return h("section", { class: "asset-history" }, h("h2", {}, texts.history), h("p", { class: "loading" }, texts.loading));
}

const COST_ID = "asset-cost";

function dateField(
  { asset }: Scene,
  { name, value, records }: { readonly name: string; readonly value: string; readonly records: DayRange },
  oninput: () => void,
): HTMLInputElement {
  // The id has the code, as a field keeps its text where the view is drawn anew with a field of the same id.
  const id = `asset-${name}-${asset.code}`;
  return h("input", { type: "date", id, value, min: records.from, max: records.to, required: true, "aria-describedby": COST_ID, oninput });
}

/** The day of a field in the Jalali calendar where that is chosen, as browsers show Gregorian days only. */
function jalaliDay({ context }: Scene, text: string): string {
  const day = parseDate(text);
  return day === undefined || context.preferences.calendar !== "jalali" ? "" : context.format.date(day);
}

/** What a range costs, or what is wrong with it. Names its days in the chosen calendar, as the fields are Gregorian. */
function costText({ context, questions, texts }: Scene, range: ReturnType<typeof parseDays>, records: DayRange): string {
  const { format } = context;
  if (range === "outside") return texts.outside(format.date(records.from), format.date(records.to));
  if (typeof range === "string") return texts[range];
  const units = requestsOf(range).filter((request) => questions.days(request).answer() === undefined).length;
  const price = units === 0 ? texts.costNothing(daysIn(range), format.number) : texts.cost(daysIn(range), units, format.number);
  return `${format.date(range.from)} – ${format.date(range.to)}. ${price}`;
}

/** The values of a range if all its answers are there. */
function answeredDays({ questions }: Scene, range: DayRange, note: (call: Call) => void): readonly AssetValue<string>[] | undefined {
  const requests = requestsOf(range).map(questions.days);
  const answers = requests.map((request) => request.answer());
  const days = answers.flatMap((answer) => (answer?.ok === true ? answer.value : []));
  if (answers.includes(undefined)) return undefined;
  for (const { call } of requests) note(call);
  return days;
}
