// What the document says of a route: its fields, errors and header fields, as tables.
import type { PageContext } from "../legacy.tsx";
import { h } from "../dom.ts";
import { messagesOf } from "../messages.ts";
import type { Language } from "../preferences.ts";
import { jsonBox } from "./code_box.ts";
import { MESSAGES } from "./messages.ts";
import type { Body, ErrorRow, HeaderField } from "./operations.ts";
import { code, prose, withCode } from "./prose.ts";
import type { FieldRow, Shape } from "./shapes.ts";
import { adviceFor, statusMessage } from "./status_messages.ts";

/** Lists of values longer than this are named by their length. */
const MOST_VALUES = 8;

/** Type, format, bounds and values of a shape, e.g. `string · date`. */
export function shapeText(shape: Shape, context: PageContext): HTMLElement {
  const { type, format, limits, values } = shape;
  const texts = messagesOf(MESSAGES, context.preferences.language);
  const parts = [type, format, limits].filter((part) => part !== undefined).join(" · ");
  return h(
    "span",
    { class: "ref-shape" },
    code(parts),
    values.length > MOST_VALUES && h("span", {}, " · ", texts.oneOf(context.format.number(values.length))),
    values.length > 0 && values.length <= MOST_VALUES && h("span", { class: "ref-values" }, ...values.map((value) => code(value))),
  );
}

/** The fields of a body, those of objects within it indented. */
export function fieldsTable({ shape, fields }: Body, context: PageContext): HTMLElement {
  const texts = messagesOf(MESSAGES, context.preferences.language);
  if (fields.length === 0) return h("p", {}, shapeText(shape, context));
  return h(
    "div",
    {},
    h("p", { class: "small" }, code(shape.type)),
    h(
      "table",
      { class: "ref-table" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, texts.field), h("th", { scope: "col" }, texts.meaning))),
      h("tbody", {}, ...fields.map((field) => fieldRow(field, context))),
    ),
  );
}

function fieldRow(field: FieldRow, context: PageContext): HTMLElement {
  return h(
    "tr",
    { class: field.depth > 0 ? `ref-depth ref-depth-${Math.min(field.depth, 4)}` : undefined },
    h("th", { scope: "row" }, h("span", { class: "ref-name" }, code(field.name))),
    h("td", {}, field.description !== undefined && prose("div", field.description, context.preferences.language), shapeText(field, context)),
  );
}

/** The errors of a route, by status, each with its codes; those that every route has are folded. */
export function errorsTable(errors: readonly ErrorRow[], context: PageContext): HTMLElement {
  const texts = messagesOf(MESSAGES, context.preferences.language);
  const own = errors.filter(({ isGeneral }) => !isGeneral);
  const general = errors.filter(({ isGeneral }) => isGeneral);
  return h(
    "div",
    {},
    statusList(own, context),
    general.length > 0 && h("details", { class: "ref-fold" }, h("summary", {}, texts.generalErrors), statusList(general, context)),
  );
}

function statusList(errors: readonly ErrorRow[], context: PageContext): HTMLElement {
  const { language } = context.preferences;
  const texts = messagesOf(MESSAGES, language);
  const statuses = [...new Set(errors.map(({ status }) => status))];
  return h("ul", { class: "ref-errors" }, ...statuses.map((status) => {
    return h(
      "li",
      {},
      h("p", {}, h("span", { class: statusClass(status) }, h("bdi", { dir: "ltr" }, status)), " ", h("strong", {}, statusMessage(status, language).title)),
      h("ul", {}, ...errors.filter((error) => error.status === status).map(({ code: name, message, example }) =>
        h(
          "li",
          {},
          h("details", {}, h("summary", {}, code(name), " ", errorText(name, message, language)), jsonBox(JSON.stringify(example), `${texts.exampleBody}: ${name}`, context)),
        ))),
    );
  }));
}

/** What is wrong and what to do: the guide's Persian says both, in English its advice follows the message. */
function errorText(name: string, message: string, language: Language): HTMLElement {
  // It stands in a summary, which must hold no link.
  const advice = adviceFor(name, language)?.replace(/\[([^\]]+)\]\(#\w+\)/g, "$1");
  if (language === "fa" && advice !== undefined) return h("span", {}, ...withCode(advice));
  return prose("span", advice === undefined ? message : `${message}. ${advice}`, language);
}

/** Header fields with what is known of them: their value in an answer, or an example. */
export function headersTable(fields: readonly (HeaderField & { readonly value?: string })[], context: PageContext): HTMLElement {
  const { language } = context.preferences;
  return h(
    "table",
    { class: "ref-table", "aria-label": messagesOf(MESSAGES, language).headers },
    h("tbody", {}, ...fields.map(({ name, description, example, value = example }) =>
      h("tr", {}, h("th", { scope: "row" }, code(name)), h("td", {}, value !== undefined && code(value), description !== "" && prose("div", description, language, "small"))))),
  );
}

/** The class of a status: its colour. */
export function statusClass(status: number): string {
  return `ref-status ref-status-${Math.floor(status / 100)}`;
}
