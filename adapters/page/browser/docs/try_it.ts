// The form of each operation: it shows the request as it is entered, sends it, and shows the answer.
import { quotaOf } from "../../../client/mod.ts";
import { LANGUAGES, examplesOf } from "../../reference/examples.ts";
import { BODY, currentValues, plannedRequest } from "../../reference/request.ts";
import type { Call, PlannedRequest } from "../../reference/request.ts";
import { keepKey, readKey } from "../access.ts";
import type { KeptKey } from "../access.ts";
import { YOUR_KEY } from "../example_key.ts";
import { addressOf } from "../places.ts";
import { element } from "./element.ts";
import { LANGUAGE, TEXTS } from "./texts.ts";

/** What the forms are told. */
export interface FormFacts {
  readonly baseUrl: string;
  readonly demoKey: string | undefined;
  /** Where keys come from. */
  readonly keySource: string;
}

const PLAIN = { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: false, dir: "ltr" };

/** Adds a form to each operation of the page, and one field for the key of all. */
export function addForms(facts: FormFacts): void {
  const operations = document.querySelectorAll<HTMLElement>(".operation");
  if (operations.length === 0) return;
  const keyField = addKeyField(facts);
  document.body.append(codesList());
  for (const operation of operations) addForm(operation, keyField, facts);
}

/** What the field of the key gives, and what is told of it. */
interface KeyField {
  key(): string | undefined;
  /** A server has taken the key, so it is worth keeping. */
  accepted(): void;
}

function addKeyField({ demoKey, keySource }: FormFacts): KeyField {
  let kept: KeptKey = readKey();
  const field = element("input", { ...PLAIN, type: "password", id: "key", placeholder: "mz_live_…", value: kept.key ?? demoKey ?? "" });
  const keep = element("input", { type: "checkbox", id: "key-keep", checked: kept.keep === "device" });
  const forget = element("button", { type: "button", id: "key-forget", className: "quiet" }, TEXTS.forget);
  // A pasted key brings quotes, blanks and marks of direction along.
  const key = (): string | undefined => field.value.replace(/[^\x21-\x7e]|["'`]/g, "") || undefined;

  function set(next: KeptKey): void {
    keepKey((kept = next));
    forget.hidden = kept.key === undefined;
  }
  keep.addEventListener("change", () => kept.key !== undefined && set({ ...kept, keep: keep.checked ? "device" : "tab" }));
  forget.addEventListener("click", () => {
    set({ key: undefined, keep: "tab" });
    Object.assign(field, { value: demoKey ?? "" }).focus(); // as the button is gone
  });
  forget.hidden = kept.key === undefined;
  const keeping = element("label", { className: "check" }, keep, TEXTS.keep);
  const source = element("a", { className: "key-link", href: keySource }, TEXTS.keySource);
  const box = element("form", { className: "key-box" }, element("label", { htmlFor: "key" }, TEXTS.key), field, keeping, forget, source);
  box.addEventListener("submit", (event) => event.preventDefault());
  document.querySelector(".contents")!.prepend(box);
  return { key, accepted: () => key() !== demoKey && set({ key: key(), keep: keep.checked ? "device" : "tab" }) };
}

/** Codes and names of the assets, from their table, to choose from. */
function codesList(): HTMLElement {
  const rows = [...document.querySelectorAll<HTMLTableRowElement>("#assets tbody tr")];
  const options = rows.map(({ cells: [code, english, persian] }) => element("option", { value: code!.textContent, label: `${english!.textContent} ${persian!.textContent}` }));
  return element("datalist", { id: "codes" }, ...options);
}

function addForm(operation: HTMLElement, keyField: KeyField, { baseUrl, demoKey = YOUR_KEY }: FormFacts): void {
  const call = JSON.parse(operation.dataset["call"]!) as Call; // as the server has written it
  const given = location.hash === `#${operation.id}` ? Object.fromEntries(new URLSearchParams(location.search)) : {};
  const values: Record<string, string> = { ...currentValues(call, Date.now()), ...given };
  const fields = operation.querySelector(".fields")!;
  const chart = element("a", {}, TEXTS.chart);
  const acts = element("p", { className: "acts" }, element("button", { type: "submit", className: "primary" }, TEXTS.send), chart);
  const form = element("form", { noValidate: true }, ...fields.childNodes, acts);
  fields.append(form);
  const planned = (): PlannedRequest => plannedRequest(call, values, baseUrl);

  function showRequest(): void {
    // A key of the visitor's own is never shown, as people take pictures of examples.
    const examples = examplesOf(planned(), demoKey);
    for (const name of Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]) operation.querySelector(`pre.${name} > code`)!.textContent = examples[name];
    const code = values["assetName"] ?? values["assetCode"];
    chart.hidden = !code;
    if (code) chart.href = `../docs${addressOf("asset", code, values["interval"] ? { interval: values["interval"] } : {})}`;
  }
  for (const parameter of [...call.parameters, ...(call.body ? [WHOLE_BODY] : [])]) {
    const { name } = parameter;
    addControl(operation, parameter, { value: values[name] ?? "", change: (value) => ((values[name] = value), showRequest()) });
  }
  showRequest();

  let sent = 0;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const mine = ++sent;
    const head = operation.querySelector(".answer > .code-name")!;
    head.textContent = TEXTS.sending;
    const began = performance.now();
    try {
      const response = await send(planned(), keyField.key());
      const text = await response.text();
      if (mine !== sent) return;
      if (call.needsKey && ![401, 403].includes(response.status)) keyField.accepted();
      showAnswer(operation, response, { text, milliseconds: performance.now() - began });
    } catch (thrown) {
      if (mine !== sent) return;
      head.textContent = TEXTS.failed;
      operation.querySelector(".answer code")!.textContent = String(thrown);
    }
    operation.querySelector(".answer")!.scrollIntoView({ block: "nearest" });
  });
}

type Field = Pick<Call["parameters"][number], "name" | "type" | "isTime" | "isRequired" | "values">;

const WHOLE_BODY: Field = { name: BODY, type: BODY, isTime: false, isRequired: true, values: [] };

/** A choice where the values are few, else a text, which may be wrong, so that one can see what a server says to that. */
function addControl(operation: HTMLElement, { name, type, isTime, isRequired, values }: Field, { value, change }: { readonly value: string; change(value: string): void }): void {
  const id = `${operation.id}-${name}`;
  const options = [...(isRequired ? [] : [element("option", { value: "" }, TEXTS.notSent)]), ...values.map((one) => element("option", { value: one }, one))];
  const control = values.length > 0 ? element("select", { id, dir: "ltr" }, ...options)
    : type === BODY ? element("textarea", { id, rows: 3, spellcheck: false, dir: "ltr" }) : element("input", { ...PLAIN, id, ...(type === "AssetCode" && { list: "codes" }) });
  control.value = value;
  const jalali = element("output", { className: "small jalali" }, isTime ? jalaliOf(value) : "");
  control.addEventListener("input", () => {
    change(control.value);
    if (isTime) jalali.textContent = jalaliOf(control.value);
  });
  // Suggestions are filtered by the text in the field, so that a field that is left full would suggest nothing else.
  if (control instanceof HTMLInputElement && control.list !== null) control.addEventListener("focus", () => control.select());
  operation.querySelector(`[data-name="${name}"] > label`)!.after(control, ...(isTime ? [jalali] : []));
}

/** The Jalali day of a time, e.g. `1 Azar 1405`. */
function jalaliOf(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return "";
  const parts = new Intl.DateTimeFormat(`${LANGUAGE}-u-ca-persian`, { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" }).formatToParts(time);
  return ["day", "month", "year"].map((name) => parts.find(({ type }) => type === name)?.value).join(" ");
}

function send({ method, url, needsKey, body }: PlannedRequest, key: string | undefined): Promise<Response> {
  const headers = { ...(body && { "Content-Type": body.contentType }), ...(needsKey && key !== undefined && { "X-API-Key": key }) };
  // The browser's cache would hide what the server says.
  return fetch(url, { method, headers, cache: "no-store", ...(body && { body: body.text }) });
}

function showAnswer(operation: HTMLElement, { status, headers }: Response, { text, milliseconds }: { readonly text: string; readonly milliseconds: number }): void {
  const number = new Intl.NumberFormat(LANGUAGE === "fa" ? "fa-IR" : "en-US", { maximumFractionDigits: 0 });
  const quota = quotaOf(headers);
  const box = operation.querySelector(".answer")!;
  const facts = [`${number.format(milliseconds)} ${TEXTS.milliseconds}`, ...(quota === undefined ? [] : [`${number.format(quota.remaining)} ${TEXTS.unitsLeft}`])];
  const head = box.querySelector(".code-name")!;
  head.replaceChildren(element("b", { className: `status status-${Math.floor(status / 100)}` }, String(status)), ` ${facts.join(" · ")}`);
  box.querySelector("code")!.textContent = laidOut(text);
  for (const old of box.querySelectorAll(".told")) old.remove();
  // The row of the table of errors has the code's name, and in its last cell what to do.
  const advice = status < 400 ? undefined : document.getElementById(codeIn(text))?.querySelector("td:last-child");
  const notice = headers.get("X-Notice");
  if (advice) head.after(element("p", { className: "told" }, ...advice.cloneNode(true).childNodes));
  if (notice !== null) head.after(element("p", { className: "told", lang: "en", dir: "ltr" }, `X-Notice: ${notice}`));
  const fields = [...headers].map(([name, value]) => `${name}: ${value}`).join("\n");
  box.append(element("details", { className: "told" }, element("summary", {}, TEXTS.headers), element("pre", { dir: "ltr" }, fields)));
}

/** The code of an error's body; empty for the answer of something between here and the server. */
function codeIn(text: string): string {
  return /"code":\s*"([A-Z_]+)"/.exec(text)?.[1] ?? "";
}

/** JSON with a value a line. Where it would have to be written anew, as with numbers of too many digits, it stays as it is. */
function laidOut(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, undefined, 2) : text;
  } catch {
    return text;
  }
}
