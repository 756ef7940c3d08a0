import type { PageContext } from "../legacy.tsx";
import { h, replaceContent } from "../dom.ts";
import { failureBox } from "../failure_box.ts";
import { PriceError } from "../../../client/mod.ts";
import type { CatalogEntry } from "../../../../core/mod.ts";
import type { Question } from "./answers.ts";
import type { Call } from "./calls.ts";
import { callsSection } from "./calls_section.ts";
import { candleBars, dailyBars } from "./chart_data.ts";
import { chartSection } from "./chart_section.ts";
import type { ChartContent } from "./chart_section.ts";
import { coverageSection } from "./coverage_section.ts";
import { latestDays } from "./days.ts";
import { heading } from "./heading.ts";
import { emptyHistory, historySection } from "./history_section.ts";
import { latestValue } from "./latest_value.ts";
import type { Outcome } from "./memory.ts";
import { chosenWindow } from "./ranges.ts";
import type { Supply } from "./ranges.ts";
import { reloadButton } from "./reload_button.ts";
import { choose, createScene, marketDay, recordDays, supplyOf, whenAnswered } from "./scene.ts";
import type { Scene } from "./scene.ts";
import { unknownAsset } from "./unknown_asset.ts";

/** The view of one asset: `#/asset/USD_RLS?interval=1h&range=1w`. An opening costs three units, drawing it anew none. */
export function view(context: PageContext): HTMLElement {
  const asset = context.settings.assets.find(({ code }) => code === context.place.id?.toUpperCase());
  if (asset === undefined) return unknownAsset(context);
  const scene = createScene(context, asset);
  const parts: Parts = { latest: h("div"), chart: h("div"), history: h("div"), coverage: h("div"), calls: h("div") };
  if (context.key === undefined) askForKey(scene, parts);
  else fillIn(scene, parts);
  return h("article", { class: "asset" }, heading(scene, parts.latest), parts.chart, parts.history, parts.coverage, parts.calls);
}

/** Where the parts of the view are drawn as answers come. */
type Parts = Readonly<Record<"latest" | "chart" | "history" | "coverage" | "calls", HTMLElement>>;

/** What the server would say is said without asking it, and the calls that a key makes possible are shown. */
function askForKey(scene: Scene, { latest, calls }: Parts): void {
  const missing = new PriceError({ code: "API_KEY_MISSING", status: 401, message: "An API key is required" });
  const days = latestDays(marketDay(Date.now(), scene.context.settings.marketTimeZone));
  latest.append(failureBox(missing, scene.context));
  calls.append(callsSection(scene, [scene.questions.catalog.call, scene.questions.days(days).call]));
}

function fillIn(scene: Scene, parts: Parts): void {
  const { context, questions, texts } = scene;
  const { maxCandles, marketTimeZone } = context.settings;
  const calls: Call[] = [];

  function note(call: Call): void {
    if (calls.some(({ target }) => target === call.target)) return;
    calls.push(call);
    replaceContent(parts.calls, callsSection(scene, calls));
  }

  function ask<Value>(question: Question<Value>, use: (outcome: Outcome<Value>) => void): void {
    note(question.call);
    whenAnswered(question, context.signal, use);
  }

  function fail(part: HTMLElement, error: unknown): void {
    replaceContent(part, failureBox(error, context, () => choose(scene, {})));
  }

  function drawRecords(entry: CatalogEntry<string>, supply: Supply): void {
    const records = recordDays(supply, marketTimeZone);
    const latest = questions.days(latestDays(records.to, records.from));
    const window = chosenWindow(scene.choice, supply);
    const drawChart = (content: ChartContent | undefined): void => replaceContent(parts.chart, chartSection(scene, { supply, window, content }));

    replaceContent(parts.latest, latestValue(scene, entry, undefined));
    replaceContent(parts.history, emptyHistory(scene));
    drawChart(undefined);
    ask(questions.candles(window), (candles) => {
      if (candles.ok) drawChart({ bars: candleBars(candles.value), isDaily: false });
      else if (!isNotFound(candles.error)) fail(parts.chart, candles.error);
      else ask(latest, (days) => (days.ok ? drawChart({ bars: dailyBars(days.value), isDaily: true }) : fail(parts.chart, days.error)));
    });
    ask(latest, (days) => {
      if (!days.ok) return fail(parts.history, days.error);
      replaceContent(parts.latest, latestValue(scene, entry, days.value));
      replaceContent(parts.history, historySection(scene, { records, note }));
    });
  }

  parts.latest.append(h("p", { class: "loading" }, texts.loading));
  ask(questions.catalog, (catalog) => {
    if (!catalog.ok) return fail(parts.latest, catalog.error);
    const entry = catalog.value.find(({ code }) => code === scene.asset.code);
    if (entry === undefined) return replaceContent(parts.latest, h("p", {}, texts.notListed));
    replaceContent(parts.coverage, coverageSection(scene, entry));
    const supply = supplyOf(entry, maxCandles);
    if (supply === undefined) replaceContent(parts.latest, h("p", {}, texts.noRecord), reloadButton(scene, 1));
    else drawRecords(entry, supply);
  });
}

/** Whether the server says that there is nothing, not that it could not answer. */
function isNotFound(error: unknown): boolean {
  return error instanceof PriceError && error.status === 404;
}
