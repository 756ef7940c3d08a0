import type { PageContext } from "../legacy.tsx";
import { h } from "../dom.ts";
import { messagesOf } from "../messages.ts";
import { answerBox, answerText } from "./answer_box.ts";
import { jsonBox } from "./code_box.ts";
import { examplesBox } from "./examples_box.ts";
import { MESSAGES } from "./messages.ts";
import type { Body, Operation } from "./operations.ts";
import { prose } from "./prose.ts";
import { plannedRequest } from "./request.ts";
import { requestForm } from "./request_form.ts";
import { send } from "./send.ts";
import { draftOf } from "./drafts.ts";
import { errorsTable, fieldsTable, headersTable } from "./tables.ts";

/** A route: what it is, the form that calls it, the answer, and what the document says of it. `level` is that of its heading. */
export function operationSection(operation: Operation, level: 1 | 2, context: PageContext): HTMLElement {
  const texts = messagesOf(MESSAGES, context.preferences.language);
  const draft = draftOf(operation);
  const sub = level === 1 ? "h2" : "h3";
  const answer = h("div", { class: "ref-received" });
  const examples = examplesBox(operation, level, context);
  const form = requestForm(operation, level, context, { changed: examples.update, sent: () => void call(), stopped: () => sending?.abort() });
  let sending: AbortController | undefined;
  drawAnswer();

  function drawAnswer(): void {
    answer.replaceChildren(answerBox(operation, draft, context));
  }

  async function call(): Promise<void> {
    if (sending !== undefined) return;
    const own = (sending = new AbortController());
    form.setBusy(true);
    context.announce(texts.sending);
    answer.replaceChildren(h("p", { class: "loading" }, texts.sending));
    try {
      const received = await send(plannedRequest(operation, draft.entries, context.baseUrl), context.key, AbortSignal.any([own.signal, context.signal]));
      Object.assign(draft, { received, thrown: undefined });
      context.noteQuota(received.headers);
      context.announce(answerText(received, context));
    } catch (thrown) {
      // A view that is left takes its request with it, and shows the answer before when it is drawn again.
      if (context.signal.aborted) return;
      Object.assign(draft, { received: undefined, thrown });
    }
    sending = undefined;
    form.setBusy(false);
    drawAnswer();
    reveal(answer);
  }

  return h(
    "article",
    { class: "ref-operation" },
    head(operation, level, context),
    h("div", { class: "ref-try" }, form.element, h("section", { class: "ref-answer", "aria-label": texts.answer }, h(sub, {}, texts.answer), answer), examples.element),
    h("div", { class: "ref-docs" }, ...documentation(operation, sub, context)),
  );
}

function head({ method, path, summary, description, keyFields, charge }: Operation, level: 1 | 2, { preferences, baseUrl }: PageContext): HTMLElement {
  const texts = messagesOf(MESSAGES, preferences.language);
  return h(
    "header",
    {},
    prose(`h${level}`, summary, preferences.language),
    h(
      "p", { class: "ref-route", dir: "ltr" },
      h("span", { class: `ref-method ref-method-${method.toLowerCase()}` }, method),
      h("code", {}, h("span", { class: "ref-base" }, baseUrl), ...breakable(path)),
    ),
    h(
      "ul",
      { class: "ref-facts" },
      h("li", {}, keyFields.length > 0 ? texts.needsKey : texts.needsNoKey),
      charge !== undefined && h("li", {}, texts.charge[charge]),
    ),
    ...description.map((paragraph) => prose("p", paragraph, preferences.language)),
  );
}

/** Scrolls as far as needed to show an answer, or the begin of a long one. */
function reveal(answer: HTMLElement): void {
  const { bottom, height } = answer.getBoundingClientRect();
  if (bottom > innerHeight) answer.scrollIntoView({ block: height < innerHeight * 0.8 ? "end" : "start" });
}

/** A path that a narrow screen may break before its slashes. */
function breakable(path: string): readonly (Node | string)[] {
  return path.split(/(?=\/)/).flatMap((part) => [h("wbr"), part]);
}

function documentation({ body, answers, errors }: Operation, sub: "h2" | "h3", context: PageContext): readonly HTMLElement[] {
  const texts = messagesOf(MESSAGES, context.preferences.language);
  const first = answers.find((answer) => answer.body !== undefined);
  return [
    ...(body === undefined ? [] : [h("section", {}, h(sub, {}, texts.requestBody), fieldsTable(body, context))]),
    ...(first?.body === undefined ? [] : [h("section", {}, h(sub, {}, texts.success), fieldsTable(first.body, context), exampleOf(first.body, context))]),
    h("section", {}, h(sub, {}, texts.errors), errorsTable(errors, context)),
    ...(first === undefined ? [] : [h("section", {}, h(sub, {}, texts.headers), headersTable(first.headers, context))]),
  ];
}

function exampleOf({ example }: Body, context: PageContext): HTMLElement | string {
  const { exampleAnswer } = messagesOf(MESSAGES, context.preferences.language);
  if (example === undefined) return "";
  return h("details", { class: "ref-fold" }, h("summary", {}, exampleAnswer), jsonBox(JSON.stringify(example), exampleAnswer, context));
}
