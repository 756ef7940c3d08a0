// The reference as HTML, readable without script. The page's script activates a form in each operation.
import type { Language } from "../browser/data/preferences.ts";
import { PERSIAN } from "../built_files.ts";
import { type Content, codeBox, escapeHtml, html, Markup } from "../html_markup.ts";
import type { PageAsset } from "../page_settings.ts";
import { examplesOf } from "./examples.ts";
import { isOwnShape, type Operation, type Parameter, type Reference, type Schema, typeText } from "./read_reference.ts";
import { BODY, type Call, exampleValues, plannedRequest } from "./request.ts";

/** The settings of the reference. */
export interface ReferenceFacts {
  readonly reference: Reference;
  readonly assets: readonly PageAsset[];
  readonly language: Language;
  /** In the examples. */
  readonly baseUrl: string;
  readonly key: string;
  /** The address of the guide. */
  readonly guide: string;
}

/** Returns the content of the page: the operations, then the headers, schemas, errors and assets. */
export function referenceHtml(facts: ReferenceFacts): Markup {
  const { reference, assets, language, guide } = facts;
  const { operations, headers, shapes, errors } = reference;
  const errorRows = errors.map((error) => [error.status, code(error.code), withCode(error[language], guide)]);
  const headerRows = headers.map(({ name, description, example }) => {
    return [code(name), say(description, language), code(example)];
  });
  const assetRows = assets.map(({ code: name, labelEn, labelFa, category, quoteUnit }) => [
    code(name),
    html`<span lang="en" dir="ltr">${labelEn}</span>`,
    html`<span lang="fa" dir="rtl">${labelFa}</span>`,
    code(category),
    code(quoteUnit),
  ]);
  const errorCodes = errors.map((error) => error.code);
  const errorHeads = ["Status", "Code", "What is wrong, and what to do"];
  const assetHeads = ["Code", "English", "Persian", "Category", "Unit of values"];
  const fields = shapes.map(
    ({ name, schema }) => html`<h3 id="${name}">${code(name)}</h3>\n${fieldTable(schema, facts)}`,
  );
  const parts = [
    ["errors", "Errors", table(errorHeads, errorRows, language, errorCodes)],
    ["headers", "Header fields", table(["Field", "Meaning", "Example"], headerRows, language)],
    ["fields", "Fields", fields],
    ["assets", "Assets", table(assetHeads, assetRows, language)],
  ] as const;
  return html`<h1>${say("Reference", language)}</h1>
<p>${say("Every route of this server, with a request and its answer.", language)} <a href="${guide}">${say("The guide says what applies to all routes", language)}</a>.</p>
${operations.map((operation) => operationHtml(operation, facts))}${parts.map(
  ([id, name, content]) => html`<section class="part" id="${id}">
<h2 tabindex="-1">${say(name, language)}</h2>
${content}</section>
`,
)}`;
}

function operationHtml(operation: Operation, facts: ReferenceFacts): Markup {
  const { id, method, path, summary, description, needsKey, parameters, body, answers, codes } = operation;
  const { language, guide, reference, baseUrl, key } = facts;
  const sent = parameters.map(({ name, place, isTime, example }) => ({ name, place, isTime, example }));
  const sentBody = body && { contentType: body.contentType, text: body.text };
  const forms = answers.map(({ contentType, schema }) => {
    const fields = isOwnShape(schema)
      ? fieldTable(schema.items ?? schema, facts)
      : [", ", typeAndMeaning(schema, facts)];
    return html`<div class="small">${say("It answers with", language)} ${code(contentType)}${fields}</div>\n`;
  });
  const call: Call = { method, path, needsKey, parameters: sent, body: sentBody };
  const isOwn = (one: string): boolean => codes.includes(one) && !reference.general.includes(one);
  const own = reference.errors.filter((error) => isOwn(error.code));
  const failures = own.map(
    (error) =>
      html`<li><code>${error.status}</code> <span><a href="#${error.code}">${code(error.code)}</a> ${withCode(error[language], guide)}</span></li>\n`,
  );
  const cost = say(description.at(-1)!, language).source.replace(/\.(?=<|$)/, "");
  return html`<section class="operation" id="${id}" data-call="${JSON.stringify(call)}">
<div class="operation-text">
<h2 tabindex="-1">${say(summary, language)}</h2>
<p class="route"><code><b class="${method.toLowerCase()}">${method}</b> ${path}</code></p>
<p class="facts"><span class="small">${say(needsKey ? "Needs a key" : "Needs no key", language)}</span> <span class="small">${new Markup(cost)}</span></p>
${description.slice(0, -1).map((text) => html`<p>${say(text, language)}</p>\n`)}<form><fieldset disabled>
${parameters.map((parameter) => parameterHtml(id, parameter, facts))}${
  body &&
  html`<div class="field">
<label for="${id}-${BODY}">${say("Body", language)} ${code(body.contentType)}</label>
<textarea id="${id}-${BODY}" name="${BODY}" rows="3" spellcheck="false" dir="ltr">${body.text}</textarea>
<div class="small">${fieldTable(body.schema, facts)}</div></div>
`
}<p class="acts"></p></fieldset></form>
</div>
<div class="operation-code">
${codeBox(id, examplesOf(plannedRequest(call, exampleValues(call), baseUrl), key), language)}<div class="code answer">
<span class="code-name" role="status">${say("Example of an answer", language)}</span>
<pre dir="ltr" tabindex="0"><code>${answers[0]?.example === undefined ? "…" : JSON.stringify(answers[0].example, undefined, 2)}</code></pre></div>
${forms}</div>
<div class="operation-errors">
<h3>${say("When it fails", language)}</h3>
<ul class="failures">
${failures}<li><a href="#errors">${say("and the errors that any request can get", language)}</a></li>
</ul>
</div>
</section>
`;
}

/** A list of choices if the values are few, otherwise a text field. Visitors may send wrong values to see the error. */
function parameterHtml(id: string, parameter: Parameter, facts: ReferenceFacts): Markup {
  const { name, isRequired, isTime, description, type, values, example } = parameter;
  const { language } = facts;
  const options = values.map((value) => html`<option${value === example && html` selected`}>${value}</option>`);
  const list = type === "AssetCode" && html` list="codes"`;
  const control =
    values.length === 0
      ? html`<input id="${id}-${name}" name="${name}" value="${example}" autocomplete="off" autocapitalize="off" spellcheck="false" dir="ltr"${list}>`
      : html`<select id="${id}-${name}" name="${name}" dir="ltr">${!isRequired && html`<option value="">${say("not sent", language)}</option>`}${options}</select>`;
  return html`<div class="field">
<label for="${id}-${name}">${code(name)} <span class="small">${say(isRequired ? "required" : "optional", language)}</span></label>
${control}${isTime && html`<output class="small jalali"></output>`}
<div class="small">${description !== "" && [say(description, language), " · "]}${typeHtml(type, facts)}</div></div>
`;
}

/** A table of the fields if the schema is an object, otherwise its type. */
function fieldTable(schema: Schema, facts: ReferenceFacts): Markup {
  const named =
    schema.$ref === undefined ? undefined : facts.reference.shapes.find(({ name }) => name === typeText(schema));
  const { properties } = named?.schema ?? schema;
  if (!properties) return html`<p>${typeAndMeaning(named?.schema ?? schema, facts)}</p>\n`;
  const rows = Object.entries(properties).map(([field, shape]) => {
    return [code(field), typeHtml(typeText(shape), facts), say(shape.description ?? "", facts.language)];
  });
  return table(["Field", "Type", "Meaning"], rows, facts.language);
}

function typeAndMeaning(schema: Schema, facts: ReferenceFacts): Content {
  const { description } = schema;
  return [typeHtml(typeText(schema), facts), description !== undefined && [". ", say(description, facts.language)]];
}

/** A type, with links to the types that have a name. */
function typeHtml(type: string, { reference: { shapes } }: ReferenceFacts): Markup {
  const targets = new Map([
    ...shapes.map(({ name }) => [name, name] as const),
    ["AssetCode", "assets"],
    ["ErrorCode", "errors"],
  ]);
  return html`<code class="type">${type.split(/\b([A-Z]\w+)\b/).map((piece) => (targets.has(piece) ? html`<a href="#${targets.get(piece)}">${piece}</a>` : piece))}</code>`;
}

/** `ids` are the ids of the rows, if the rows have any. */
function table(
  names: readonly string[],
  rows: readonly (readonly Content[])[],
  language: Language,
  ids: readonly string[] = [],
): Markup {
  const body = rows.map((cells, at) => {
    const id = ids[at] !== undefined && html` id="${ids[at]}"`;
    return html`<tr${id}>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`;
  });
  const heads = names.map((name) => html`<th scope="col">${say(name, language)}</th>`);
  return html`<div class="table"><table><thead><tr>${heads}</tr></thead><tbody>\n${body}</tbody></table></div>\n`;
}

/** A name or value as code, written left to right in both languages. */
function code(text: string): Markup {
  return html`<code>${text}</code>`;
}

/** Translates an English text. Texts that `persian.md` does not have, such as those of custom routes, stay English. */
function say(text: string, language: Language): Markup {
  if (language === "en" || text === "") return withCode(text);
  return Object.hasOwn(PERSIAN, text)
    ? withCode(PERSIAN[text]!)
    : html`<span lang="en" dir="ltr">${withCode(text)}</span>`;
}

/** A text with `code` in backticks and, in our own texts, links to [sections of the guide](#clients). */
function withCode(text: string, guide?: string): Markup {
  const source = escapeHtml(text).replace(/`([^`]*)`/g, "<code>$1</code>");
  return new Markup(
    guide === undefined ? source : source.replace(/\[([^[\]]+)\]\(#(\w+)\)/g, `<a href="${guide}#$2">$1</a>`),
  );
}
