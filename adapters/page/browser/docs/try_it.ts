// The forms of the operations. Each form shows the request while values are entered, sends it, and shows the answer.
import { quotaOf } from "../../../client/mod.ts";
import { examplesOf, YOUR_KEY } from "../../reference/examples.ts";
import { type Call, currentValues, type PlannedRequest, plannedRequest, type Values } from "../../reference/request.ts";
import { addressOf } from "../data/addresses.ts";
import { keepKey, readKey } from "../data/device.ts";
import { TEXTS as BOTH } from "../texts/built_docs.ts";
import { piecesOf } from "./highlight_code.ts";

/** The language of the page. */
export const LANGUAGE = document.documentElement.lang === "fa" ? "fa" : "en";
/** The texts that the script adds to the page. */
export const TEXTS = BOTH[LANGUAGE];

/** The settings of the forms. `keySource` is the address that says how to get a key. */
type FormFacts = Readonly<Record<"baseUrl" | "keySource", string> & { demoKey: string | undefined }>;

/** Activates the form of each operation, and the key field for all of them. */
export function addForms(facts: FormFacts): void {
  const operations = document.querySelectorAll<HTMLElement>(".operation");
  if (operations.length === 0) return;
  const keyField = useKeyField(facts);
  document.body.append(codesList());
  for (const operation of operations) addForm(operation, keyField, facts);
}

/** A key is stored when an answer shows that it is `accepted`, and forgotten when its field is emptied. */
function useKeyField({ demoKey, keySource }: FormFacts) {
  const kept = readKey();
  const field = document.querySelector<HTMLInputElement>("#key")!;
  const onDevice = document.querySelector<HTMLInputElement>("#key-keep")!;
  field.value = kept.key ?? demoKey ?? "";
  onDevice.checked = kept.keep === "device";
  document.querySelector<HTMLAnchorElement>(".key-link")!.href = keySource;
  document.querySelector<HTMLElement>(".key-box")!.hidden = false;
  // Pasted keys may contain quotes, spaces and direction marks.
  const key = (): string | undefined => field.value.replace(/[^\x21-\x7e]|["'`]/g, "") || undefined;
  const keep = (): void => keepKey(key() === demoKey ? undefined : key(), onDevice.checked ? "device" : "tab");
  onDevice.addEventListener("change", () => readKey().key !== undefined && keep());
  field.addEventListener("input", () => key() === undefined && keep());
  return { key, accepted: keep };
}

/** Suggests asset codes and names, read from the table of assets. */
function codesList(): HTMLElement {
  const rows = [...document.querySelectorAll<HTMLTableRowElement>("#assets tbody tr")];
  const options = rows.map(({ cells: [code, english, persian] }) =>
    element("option", { value: code!.textContent, label: `${english!.textContent} ${persian!.textContent}` }),
  );
  return element("datalist", { id: "codes" }, ...options);
}

/** Does not use the form's own properties, because a field with the same name hides a property. */
function addForm(
  operation: HTMLElement,
  keyField: ReturnType<typeof useKeyField>,
  { baseUrl, demoKey = YOUR_KEY }: FormFacts,
): void {
  const call = JSON.parse(operation.dataset["call"]!) as Call; // a cast: the server wrote this JSON
  const controls = [...operation.querySelectorAll<HTMLInputElement>("form [name]")]; // also `select` and `textarea`, with the same properties
  const given = location.hash === `#${operation.id}` ? new URLSearchParams(location.search) : [];
  const start = { ...currentValues(call, Date.now()), ...Object.fromEntries(given) };
  const chart = element("a", {}, TEXTS.chart);
  operation.querySelector(".acts")!.append(element("button", { className: "primary" }, TEXTS.send), chart);
  const values = (): Values => Object.fromEntries(controls.map(({ name, value }) => [name, value]));
  const planned = (): PlannedRequest => plannedRequest(call, values(), baseUrl);

  function showRequest(): void {
    // The visitor's own key is never shown, because people take screenshots of examples.
    for (const [name, text] of Object.entries(examplesOf(planned(), demoKey)))
      showCode(operation.querySelector(`pre.${name} > code`)!, text);
    for (const output of operation.querySelectorAll("output"))
      output.value = jalaliOf((output.previousElementSibling as HTMLInputElement).value);
    const { assetName, assetCode: code = assetName, interval } = values();
    chart.hidden = !code;
    if (code) chart.href = `../docs${addressOf("asset", code, interval ? { interval } : {})}`;
  }
  for (const control of controls) {
    control.value = start[control.name] ?? "";
    // Browsers suggest only what matches the field's text, so the text is selected: typing replaces it.
    if (control.list) control.addEventListener("focus", () => control.select());
  }
  operation.querySelector<HTMLFieldSetElement>("form > fieldset")!.disabled = false;
  operation.addEventListener("input", showRequest);
  showRequest();

  let sent = 0;
  operation.addEventListener("submit", async (event) => {
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
      operation.querySelector(".answer pre > code")!.textContent = String(thrown);
    }
    operation.querySelector(".answer")!.scrollIntoView({ block: "nearest" });
  });
}

/** The Jalali day of a time, e.g. `1 Azar 1405`. */
function jalaliOf(text: string): string {
  const time = Date.parse(text);
  if (Number.isNaN(time)) return "";
  const parts = { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" } as const;
  const day = new Intl.DateTimeFormat(`${LANGUAGE}-u-ca-persian`, parts).format(time);
  return day.replace(/^(\w+) (\d+), (\d+).*/, "$2 $1 $3"); // without the era, and with the day first
}

function send({ method, url, needsKey, body }: PlannedRequest, key: string | undefined): Promise<Response> {
  const headers = {
    ...(body && { "Content-Type": body.contentType }),
    ...(needsKey && key !== undefined && { "X-API-Key": key }),
  };
  // The browser's cache would hide the server's answer.
  return fetch(url, { method, headers, cache: "no-store", ...(body && { body: body.text }) });
}

type Answer = Readonly<{ text: string; milliseconds: number }>;

function showAnswer(operation: HTMLElement, { status, headers }: Response, { text, milliseconds }: Answer): void {
  const number = new Intl.NumberFormat(LANGUAGE === "fa" ? "fa-IR" : "en-US", { maximumFractionDigits: 0 });
  const quota = quotaOf(headers);
  const box = operation.querySelector(".answer")!;
  const facts = [`${number.format(milliseconds)} ${TEXTS.milliseconds}`];
  if (quota !== undefined) facts.push(`${number.format(quota.remaining)} ${TEXTS.unitsLeft}`);
  const head = box.querySelector(".code-name")!;
  head.replaceChildren(
    element("b", { className: `status status-${Math.floor(status / 100)}` }, String(status)),
    ...facts.flatMap((fact, at) => [at === 0 ? " " : " · ", element("bdi", {}, fact)]), // without `bdi`, units and time would swap places in Persian
  );
  showCode(box.querySelector("pre > code")!, laidOut(text));
  for (const old of box.querySelectorAll(".told")) old.remove();
  // The table of errors has a row with the code as id, and the advice in the last cell. Errors of proxies have no row.
  const [, code = ""] = /"code":\s*"([A-Z_]+)"/.exec(text) ?? [];
  const advice = status < 400 ? undefined : document.getElementById(code)?.querySelector("td:last-child");
  const notice = headers.get("X-Notice");
  if (advice) head.after(element("p", { className: "told" }, ...advice.cloneNode(true).childNodes));
  if (notice !== null) head.after(element("p", { className: "told", lang: "en", dir: "ltr" }, `X-Notice: ${notice}`));
  const fields = element("pre", { dir: "ltr", tabIndex: 0 });
  showCode(fields, [...headers].map(([name, value]) => `${name}: ${value}`).join("\n"));
  box.append(element("details", { className: "told" }, element("summary", {}, TEXTS.headers), fields));
}

/** JSON with one value per line; unchanged if this would alter a value, e.g. a number with too many digits. */
function laidOut(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text ? JSON.stringify(value, undefined, 2) : text;
  } catch {
    return text;
  }
}

/** Creates an element from properties; names with a hyphen become attributes. Text content is never read as HTML. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Readonly<Record<string, unknown>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes("-")) made.setAttribute(name, String(value));
    else Object.assign(made, { [name]: value });
  }
  made.append(...children);
  return made;
}

/** Shows code in colours. Copying it still gives the plain code. */
export function showCode(place: Element, code: string): void {
  const pieces = piecesOf(code).map(([piece, kind]) => (kind ? element("span", { className: kind }, piece) : piece));
  place.replaceChildren(...pieces);
}
