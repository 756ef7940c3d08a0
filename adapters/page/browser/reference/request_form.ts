import type { PageContext } from "../legacy.tsx";
import { h } from "../dom.ts";
import { openKeyPanel } from "../header/key_panel.tsx";
import { keyLink } from "../key_link.ts";
import { segmented } from "../segmented.ts";
import { messagesOf } from "../messages.ts";
import { fieldControl } from "./field_control.ts";
import { MESSAGES } from "./messages.ts";
import type { Operation, Parameter } from "./operations.ts";
import { code, prose } from "./prose.ts";
import { firstEntries } from "./request.ts";
import type { Entries } from "./request.ts";
import { draftOf } from "./drafts.ts";
import { shapeText } from "./tables.ts";

/** What a form reports: that its entries have changed, that it was sent, that sending was stopped. */
export interface FormEvents {
  changed(): void;
  sent(): void;
  stopped(): void;
}

/** The form of an operation, and a function that says whether its request is under way. */
export function requestForm(operation: Operation, level: number, context: PageContext, events: FormEvents): { readonly element: HTMLElement; setBusy(busy: boolean): void } {
  const { key, preferences } = context;
  const texts = messagesOf(MESSAGES, preferences.language);
  const draft = draftOf(operation);
  const fields = h("div", { class: "ref-fields" });
  const stop = h("button", { type: "button", onclick: events.stopped, hidden: true }, texts.stop);
  const submit = h("button", { id: `ref-send-${operation.elementId}`, type: "submit", class: "primary" }, texts.send);
  drawFields();

  function change(entries: Partial<Entries>): void {
    draft.entries = { ...draft.entries, ...entries };
    events.changed();
  }

  function drawFields(): void {
    fields.replaceChildren(
      ...operation.parameters.map((parameter) =>
        parameterField(parameter, operation, context, (value) => change({ values: { ...draft.entries.values, [parameter.name]: value } })),
      ),
      ...(operation.body === undefined ? [] : [bodyField()]),
    );
  }

  function bodyField(): HTMLElement {
    const id = `ref-body-${operation.elementId}`;
    const area = h("textarea", { id, rows: 5, dir: "ltr", spellcheck: "false", autocomplete: "off", oninput: () => change({ body: area.value }) });
    area.value = draft.entries.body;
    return h("div", { class: "ref-field" }, h("label", { for: id }, texts.requestBody, " ", code(operation.body?.contentType ?? "", "ref-shape")), area);
  }

  function reset(): void {
    change({ ...firstEntries(operation, new Date()), keyForm: draft.entries.keyForm });
    drawFields();
  }

  const element = h(
    "form",
    {
      class: "ref-form",
      novalidate: true,
      onsubmit(event) {
        event.preventDefault();
        events.sent();
      },
    },
    h(level === 1 ? "h2" : "h3", {}, texts.tryIt),
    fields,
    operation.keyFields.length > 0 && segmented({
      name: `ref-key-${operation.elementId}`, label: texts.keyForm, options: texts.keyForms,
      chosen: draft.entries.keyForm, choose: (keyForm) => change({ keyForm }),
    }),
    operation.keyFields.length > 0 && key === undefined && h(
      "p", { class: "ref-note" }, texts.noKeyYet, " ", h("button", { type: "button", onclick: openKeyPanel }, texts.enterKey), " ", keyLink(context),
    ),
    h(
      "p", { class: "ref-acts" }, submit, stop,
      operation.parameters.length + (operation.body ? 1 : 0) > 0 && h("button", { type: "button", class: "ref-quiet", onclick: reset }, texts.reset),
    ),
    operation.parameters.length > 0 && h("p", { class: "small" }, texts.freely),
  );
  return {
    element,
    setBusy(busy) {
      // A button that is hidden or disabled loses the focus, and a visitor with a keyboard the place in the page.
      if (!busy && document.activeElement === stop) submit.focus();
      stop.hidden = !busy;
      submit.setAttribute("aria-disabled", String(busy));
    },
  };
}

function parameterField(parameter: Parameter, operation: Operation, context: PageContext, change: (value: string) => void): HTMLElement {
  const texts = messagesOf(MESSAGES, context.preferences.language);
  const id = `ref-${operation.elementId}-${parameter.name}`;
  const value = draftOf(operation).entries.values[parameter.name] ?? "";
  return h(
    "div",
    { class: "ref-field" },
    h(
      "label",
      { for: id },
      code(parameter.name),
      h("span", { class: parameter.required ? "ref-required" : "ref-optional" }, parameter.required ? texts.required : texts.optional),
      parameter.place === "path" && h("span", { class: "ref-optional" }, texts.inPath),
    ),
    ...fieldControl({ id, parameter, value, describedBy: `${id}-hint`, context, change }),
    h(
      "div", { id: `${id}-hint`, class: "ref-hint" },
      parameter.description !== undefined && prose("div", parameter.description, context.preferences.language), shapeText(parameter.shape, context),
    ),
  );
}
