// What the document says of a route: its fields, errors and header fields, as tables.
import { usePage } from "../context.ts";
import { JsonBox } from "./code_box.tsx";
import { MESSAGES } from "./messages.ts";
import type { Body, ErrorRow, HeaderField } from "./operations.ts";
import { Code, Prose, withCode } from "./prose.tsx";
import type { FieldRow, Shape } from "./shapes.ts";
import { adviceFor, statusMessage } from "./status_messages.ts";

/** Lists of values longer than this are named by their length. */
const MOST_VALUES = 8;

/** Type, format, bounds and values of a shape, e.g. `string · date`. */
export function ShapeText({ shape: { type, format: form, limits, values } }: { readonly shape: Shape }) {
  const { preferences, format } = usePage();
  return (
    <span class="ref-shape">
      <Code text={[type, form, limits].filter((part) => part !== undefined).join(" · ")} />
      {values.length > MOST_VALUES && <span> · {MESSAGES[preferences.language].oneOf(format.number(values.length))}</span>}
      {values.length > 0 && values.length <= MOST_VALUES && <span class="ref-values">{values.map((value) => <Code text={value} />)}</span>}
    </span>
  );
}

/** The fields of a body, those of objects within it indented. */
export function FieldsTable({ body: { shape, fields } }: { readonly body: Body }) {
  const { preferences } = usePage();
  const texts = MESSAGES[preferences.language];
  if (fields.length === 0) return <p><ShapeText shape={shape} /></p>;
  return (
    <div>
      <p class="small"><Code text={shape.type} /></p>
      <table class="ref-table">
        <thead><tr><th scope="col">{texts.field}</th><th scope="col">{texts.meaning}</th></tr></thead>
        <tbody>{fields.map((field) => <Field field={field} />)}</tbody>
      </table>
    </div>
  );
}

function Field({ field }: { readonly field: FieldRow }) {
  return (
    <tr class={field.depth > 0 ? `ref-depth ref-depth-${Math.min(field.depth, 4)}` : undefined}>
      <th scope="row"><span class="ref-name"><Code text={field.name} /></span></th>
      <td>{field.description !== undefined && <Prose tag="div" text={field.description} />}<ShapeText shape={field} /></td>
    </tr>
  );
}

/** The errors of a route, by status, each with its codes; those that every route has are folded. */
export function ErrorsTable({ errors }: { readonly errors: readonly ErrorRow[] }) {
  const { preferences } = usePage();
  const general = errors.filter(({ isGeneral }) => isGeneral);
  return (
    <div>
      <Statuses errors={errors.filter(({ isGeneral }) => !isGeneral)} />
      {general.length > 0 && <details class="ref-fold"><summary>{MESSAGES[preferences.language].generalErrors}</summary><Statuses errors={general} /></details>}
    </div>
  );
}

function Statuses({ errors }: { readonly errors: readonly ErrorRow[] }) {
  const { preferences: { language } } = usePage();
  const texts = MESSAGES[language];
  return (
    <ul class="ref-errors">
      {[...new Set(errors.map(({ status }) => status))].map((status) => (
        <li>
          <p><span class={statusClass(status)}><bdi dir="ltr">{status}</bdi></span> <strong>{statusMessage(status, language).title}</strong></p>
          <ul>
            {errors.filter((error) => error.status === status).map(({ code: name, message, example }) => (
              <li>
                <details>
                  <summary><Code text={name} /> <ErrorText name={name} message={message} /></summary>
                  <JsonBox text={JSON.stringify(example)} label={`${texts.exampleBody}: ${name}`} />
                </details>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}

/** What is wrong and what to do: the guide's Persian says both, in English its advice follows the message. */
function ErrorText({ name, message }: { readonly name: string; readonly message: string }) {
  const { preferences: { language } } = usePage();
  // It stands in a summary, which must hold no link.
  const advice = adviceFor(name, language)?.replace(/\[([^\]]+)\]\(#\w+\)/g, "$1");
  if (language === "fa" && advice !== undefined) return <span>{withCode(advice)}</span>;
  return <Prose tag="span" text={advice === undefined ? message : `${message}. ${advice}`} />;
}

/** Header fields with what is known of them: their value in an answer, or an example. */
export function HeadersTable({ fields }: { readonly fields: readonly (HeaderField & { readonly value?: string })[] }) {
  const { preferences } = usePage();
  return (
    <table class="ref-table" aria-label={MESSAGES[preferences.language].headers}>
      <tbody>
        {fields.map(({ name, description, example, value = example }) => (
          <tr>
            <th scope="row"><Code text={name} /></th>
            <td>{value !== undefined && <Code text={value} />}{description !== "" && <Prose tag="div" text={description} class="small" />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The class of a status: its colour. */
export function statusClass(status: number): string {
  return `ref-status ref-status-${Math.floor(status / 100)}`;
}
