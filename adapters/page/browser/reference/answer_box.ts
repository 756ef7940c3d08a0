import { quotaOf } from "../../../client/mod.ts";
import type { PageContext } from "../legacy.tsx";
import { h } from "../dom.ts";
import { failureBox } from "../failure_box.ts";
import { openKeyPanel } from "../header/key_panel.tsx";
import { keyLink } from "../key_link.ts";
import { messagesOf } from "../messages.ts";
import { jsonBox } from "./code_box.ts";
import { objectOf, textOf } from "./document.ts";
import { MESSAGES } from "./messages.ts";
import type { HeaderField, Operation } from "./operations.ts";
import { code, withCode } from "./prose.ts";
import { DotSegments } from "./request.ts";
import type { Received, Draft } from "./drafts.ts";
import { adviceFor, statusMessage } from "./status_messages.ts";
import { headersTable, statusClass } from "./tables.ts";

/** What came back: the answer, the failure to get one, or a word on what will stand here. */
export function answerBox(operation: Operation, { received, thrown }: Draft, context: PageContext): HTMLElement {
  const texts = messagesOf(MESSAGES, context.preferences.language);
  if (isAbort(thrown)) return h("p", { class: "ref-note" }, texts.stopped);
  if (thrown instanceof DotSegments) return h("p", { class: "ref-note", role: "alert" }, ...withCode(texts.dotSegments));
  if (thrown !== undefined) return failureBox(thrown, context);
  if (received === undefined) return h("p", { class: "ref-empty" }, texts.noAnswerYet);
  return h(
    "div",
    {},
    statusLine(received, context),
    h(
      "details",
      { id: `ref-fields-${operation.elementId}`, class: "ref-fold" },
      h("summary", {}, texts.headers),
      headersTable(receivedFields(operation, received), context),
    ),
    received.text === "" ? h("p", {}, texts.emptyBody) : jsonBox(received.text, texts.body, context),
  );
}

/** What an answer says in one sentence, for screen readers. */
export function answerText({ status, milliseconds }: Received, { preferences, format }: PageContext): string {
  const texts = messagesOf(MESSAGES, preferences.language);
  return `${status}: ${statusMessage(status, preferences.language).title}. ${texts.took(format.number(Math.round(milliseconds)))}`;
}

function statusLine({ status, milliseconds, headers, text }: Received, context: PageContext): HTMLElement {
  const { preferences, format } = context;
  const texts = messagesOf(MESSAGES, preferences.language);
  const { title, text: meaning } = statusMessage(status, preferences.language);
  const quota = quotaOf(headers);
  const failure = status < 400 ? undefined : failureIn(text);
  const isQuota = failure?.code === "QUOTA_EXCEEDED";
  const seconds = headers.get("Retry-After");
  const notice = headers.get("X-Notice");
  return h(
    "div",
    { class: "ref-result" },
    h(
      "p",
      { class: "ref-result-line" },
      h("span", { class: statusClass(status) }, h("bdi", { dir: "ltr" }, status)),
      h("strong", {}, title),
      h("span", { class: "small" }, texts.took(format.number(Math.round(milliseconds)))),
      quota !== undefined && h("span", { class: "small" }, texts.unitsLeft(format.number(quota.remaining), quota.limit === undefined ? undefined : format.number(quota.limit))),
    ),
    h("p", {}, ...withCode((failure && adviceFor(failure.code, preferences.language)) ?? meaning)),
    failure !== undefined && h("p", { class: "ref-message", lang: "en", dir: "ltr" }, h("code", {}, failure.code), ` ${failure.message}`),
    notice !== null && h("p", { class: "ref-note" }, code("X-Notice"), " ", h("span", { lang: "en", dir: "ltr" }, notice)),
    isQuota && quota !== undefined && h("p", {}, texts.nextDay(format.dateTime(quota.resetsAt), format.age(quota.resetsAt.getTime(), Date.now()))),
    !isQuota && seconds !== null && h("p", {}, texts.retryAfter(seconds)),
    (status === 401 || isQuota) && h("p", {}, h("button", { type: "button", onclick: openKeyPanel }, texts.enterKey), " ", keyLink(context)),
  );
}

/** Code and message of an error body. */
function failureIn(text: string): { readonly code: string; readonly message: string } | undefined {
  try {
    const { code: name, message } = objectOf(JSON.parse(text));
    return typeof name === "string" ? { code: name, message: textOf(message) ?? "" } : undefined;
  } catch {
    return undefined; // an answer of something between here and the server
  }
}

/** The fields of an answer: first those that the document explains, in its order. */
function receivedFields({ answers }: Operation, { headers }: Received): readonly (HeaderField & { readonly value: string })[] {
  const documented = new Map([...ALSO, ...answers.flatMap((answer) => answer.headers)].map((field) => [field.name.toLowerCase(), field]));
  const known = [...documented].flatMap(([name, field]) => (headers.has(name) ? [{ ...field, value: headers.get(name) ?? "" }] : []));
  const others = [...headers].filter(([name]) => !documented.has(name)).map(([name, value]) => ({ name, value, description: "", example: undefined }));
  return [...known, ...others];
}

const ALSO: readonly HeaderField[] = [{ name: "Retry-After", description: "Seconds after which to try again", example: undefined }];

function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException && thrown.name === "AbortError";
}
