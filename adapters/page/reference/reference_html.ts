// The reference as HTML, readable without script; the script of the page adds a form to each operation.
import { PERSIAN } from "../built_files.ts";
import { codeBox } from "../code_box.ts";
import { errorText } from "../guide/error_text.ts";
import type { GuideLanguage } from "../guide/error_text.ts";
import { html } from "../markup.ts";
import type { Content, Markup } from "../markup.ts";
import type { PageAsset } from "../page_settings.ts";
import { examplesOf } from "./examples.ts";
import { isOwnShape, typeText } from "./read_reference.ts";
import type { Body, Operation, Parameter, Reference, Schema } from "./read_reference.ts";
import { BODY, callOf, exampleValues, plannedRequest } from "./request.ts";
import { textsIn } from "./texts.ts";

/** What the reference is made from. */
export interface ReferenceFacts {
  readonly reference: Reference;
  readonly assets: readonly PageAsset[];
  readonly language: GuideLanguage;
  /** In the examples. */
  readonly baseUrl: string;
  readonly key: string;
  /** The address of the guide. */
  readonly guide: string;
}

/** A part of a page, as its contents name it. */
export interface Part {
  readonly id: string;
  readonly title: Content;
}

/** Makes the text of the page, and its contents: the operations, then what all of them share. */
export function referenceHtml(facts: ReferenceFacts): { readonly body: Markup; readonly parts: readonly Part[] } {
  const { reference: { operations, headers, shapes, errors }, assets, language, guide } = facts;
  const texts = textsIn(language);
  const errorRows = errors.map((error) => ({ id: error.code, cells: [error.status, code(error.code), withCode(errorText(error, language), guide)] }));
  const headerRows = headers.map(({ name, description, example }) => ({ cells: [code(name), prose(description, language), code(example)] }));
  const assetRows = assets.map(({ code: name, labelEn, labelFa, category, quoteUnit }) => ({
    cells: [code(name), html`<span lang="en" dir="ltr">${labelEn}</span>`, html`<span lang="fa" dir="rtl">${labelFa}</span>`, code(category), code(quoteUnit)],
  }));
  const shared = [
    { id: "errors", title: texts.codes, content: table([texts.status, texts.code, texts.toDo], errorRows) },
    { id: "headers", title: texts.headers, content: table([texts.field, texts.meaning, texts.example], headerRows) },
    { id: "fields", title: texts.fields, content: shapes.map(({ name, schema }) => html`<h3 id="${name}">${code(name)}</h3>\n${fieldTable(schema, facts)}`) },
    { id: "assets", title: texts.assets, content: table([texts.code, texts.english, texts.persian, texts.category, texts.unit], assetRows) },
  ];
  return {
    body: html`<h1>${texts.title}</h1>
<p>${texts.intro} <a href="${guide}">${texts.rules}</a>.</p>
${operations.map((operation) => operationHtml(operation, facts))}${shared.map(({ id, title, content }) => html`<section class="part" id="${id}">
<h2 tabindex="-1">${title}</h2>
${content}</section>
`)}`,
    parts: [...operations.map(({ id, summary }) => ({ id, title: prose(summary, language) })), ...shared],
  };
}

function operationHtml(operation: Operation, facts: ReferenceFacts): Markup {
  const { id, method, path, summary, description, needsKey, parameters, body, answers, codes, general } = operation;
  const { language, guide, reference: { errors }, baseUrl, key } = facts;
  const texts = textsIn(language);
  const call = callOf(operation);
  const own = errors.filter((error) => codes.includes(error.code) && !general.includes(error.code));
  return html`<section class="operation" id="${id}" data-call="${JSON.stringify(call)}">
<div class="operation-text">
<h2 tabindex="-1">${prose(summary, language)}</h2>
<p class="route"><code><b class="${method.toLowerCase()}">${method}</b> ${path}</code></p>
<p>${needsKey ? texts.needsKey : texts.needsNoKey} ${prose(description.at(-1)!, language)}</p>
${description.slice(0, -1).map((text) => html`<p>${prose(text, language)}</p>\n`)}<div class="fields">
${parameters.map((parameter) => parameterHtml(id, parameter, facts))}${body && html`<div class="field" data-name="${BODY}">
<label for="${id}--body">${texts.body} ${code(body.contentType)}</label>
<div class="hint">${fieldTable(body.schema, facts)}</div></div>
`}</div>
</div>
<div class="operation-code">
${codeBox(id, examplesOf(plannedRequest(call, exampleValues(call), baseUrl), key), language)}<div class="code answer">
<span class="code-name" role="status">${texts.exampleAnswer}</span>
<pre dir="ltr" tabindex="0"><code>${answers[0]?.example === undefined ? "…" : JSON.stringify(answers[0].example, undefined, 2)}</code></pre></div>
${answers.map((answer) => html`<div class="small">${texts.answers} ${answerType(answer, facts)}</div>\n`)}</div>
<div class="operation-errors">
<h3>${texts.errors}</h3>
<ul class="failures">
${own.map((error) => html`<li><code>${error.status} <a href="#${error.code}">${error.code}</a></code> ${withCode(errorText(error, language), guide)}</li>
`)}<li><a href="#errors">${texts.generalErrors}</a></li>
</ul>
</div>
</section>
`;
}

function parameterHtml(id: string, { name, isRequired, description, type, example }: Parameter, facts: ReferenceFacts): Markup {
  const texts = textsIn(facts.language);
  const need = isRequired ? html`<span class="required">${texts.required}</span>` : html`<span class="small">${texts.optional}</span>`;
  return html`<div class="field" data-name="${name}">
<label for="${id}-${name}">${code(name)} ${need}</label>
<div class="hint">${description !== "" && [prose(description, facts.language), " · "]}${typeHtml(type, facts)}
${example !== "" && html`<span class="example"> · ${texts.example}: ${code(example)}</span>`}</div></div>
`;
}

function answerType({ contentType, schema }: Body, facts: ReferenceFacts): Content {
  if (isOwnShape(schema)) return [code(contentType), fieldTable(schema.items ?? schema, facts)];
  return [code(contentType), ", ", typeHtml(typeText(schema), facts), schema.description !== undefined && [". ", prose(schema.description, facts.language)]];
}

/** The fields of an object with what they mean; of any other schema its type. */
function fieldTable(schema: Schema, facts: ReferenceFacts): Markup {
  const { language } = facts;
  const texts = textsIn(language);
  const { properties, $ref, description = "" } = schema;
  const named = $ref === undefined ? undefined : facts.reference.shapes.find(({ name }) => name === typeText(schema));
  if (named) return fieldTable(named.schema, facts);
  if (!properties) return html`<p>${typeHtml(typeText(schema), facts)}${description !== "" && [". ", prose(description, language)]}</p>\n`;
  const rows = Object.entries(properties).map(([field, shape]) => ({ cells: [code(field), typeHtml(typeText(shape), facts), prose(shape.description ?? "", language)] }));
  return table([texts.field, texts.type, texts.meaning], rows);
}

/** A type, with links to the types that have a name. */
function typeHtml(type: string, { reference: { shapes } }: ReferenceFacts): Markup {
  const targets = new Map([...shapes.map(({ name }) => [name, name] as const), ["AssetCode", "assets"], ["ErrorCode", "errors"]]);
  const pieces = type.split(/\b([A-Z]\w+)\b/).map((piece) => (targets.has(piece) ? html`<a href="#${targets.get(piece)}">${piece}</a>` : piece));
  return html`<code class="type">${pieces}</code>`;
}

function table(names: readonly string[], rows: readonly { readonly id?: string; readonly cells: readonly Content[] }[]): Markup {
  const body = rows.map(({ id, cells }) => html`<tr${id !== undefined && html` id="${id}"`}>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`);
  return html`<div class="table"><table><thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead><tbody>\n${body}</tbody></table></div>\n`;
}

/** A name or value of a program: left to right in both languages. */
function code(text: string): Markup {
  return html`<code>${text}</code>`;
}

/** A text of the document. It is in English where there is no translation, as are the texts of custom routes. */
function prose(text: string, language: GuideLanguage): Content {
  const persian = language === "fa" && Object.hasOwn(PERSIAN, text) ? PERSIAN[text] : undefined;
  if (language === "en" || persian !== undefined || text === "") return withCode(persian ?? text);
  return html`<span lang="en" dir="ltr">${withCode(text)}</span>`;
}

/** A text with `code` between backticks and, of our own, links to [parts of the guide](#clients). */
function withCode(text: string, guide?: string): Content {
  return text.split("`").map((part, at) => (at % 2 === 1 ? code(part) : guide === undefined ? part : withLinks(part, guide)));
}

function withLinks(text: string, guide: string): Content {
  // Of the pieces, each third is a link's text, and the one after it the name of the part.
  const pieces = text.split(/\[([^\]]+)\]\(#(\w+)\)/);
  return pieces.map((piece, at) => (at % 3 === 0 ? piece : at % 3 === 1 && html`<a href="${guide}#${pieces[at + 1]!}">${piece}</a>`));
}
