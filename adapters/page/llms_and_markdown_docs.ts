// The documentation as texts for language models and other programs.
import type { OpenApiDocument } from "../../core/openapi/mod.ts";
import { GUIDE, LLMS } from "./built_files.ts";
import { fillGuide, type GuideFacts, guideValues } from "./guide/guide_values.ts";
import type { PageSettings } from "./page_settings.ts";
import {
  type Body,
  isOwnShape,
  type Operation,
  readReference,
  type Schema,
  typeText,
} from "./reference/read_reference.ts";

type TextSettings = GuideFacts["settings"] & Pick<PageSettings, "application">;

/** Returns the short text in the format of https://llmstxt.org: the API, its rules, routes and codes, and links to the rest. GET /llms.txt. */
export function llmsText(settings: TextSettings, document: OpenApiDocument): string {
  const { operations, baseUrl } = readReference(document);
  const facts = { settings, baseUrl: baseUrl ?? "the part of this text's address before `/llms.txt`", key: "" };
  const own = {
    application: settings.application,
    assetCount: String(settings.assets.length),
    assetCodes: settings.assets.map(({ code }) => code).join(", "),
    routes: operations
      .map(({ method, path, summary }) => `- ${markdownCode(`${method} ${path}`)}: ${summary.replace(/\s+/g, " ")}`)
      .join("\n"),
    root: baseUrl === undefined ? "" : `${baseUrl}/`, // without a base URL, addresses are relative to this text
  };
  return fillGuide(LLMS, new Map([...guideValues(facts, "en"), ...Object.entries(own)]));
}

/** Returns the whole documentation: the guide, and the reference with every route, field, error code and asset. GET /docs.md. */
export function docsMarkdown(settings: TextSettings, document: OpenApiDocument): string {
  const reference = readReference(document);
  const { operations, headers, errors, shapes, baseUrl = "BASE_URL" } = reference;
  const assets = settings.assets.map((asset) => {
    return [markdownCode(asset.code), asset.labelEn, asset.labelFa, asset.category, asset.quoteUnit];
  });
  const fields = headers.map(({ name, description, example }) => [
    markdownCode(name),
    description,
    markdownCode(example),
  ]);
  const guide = fillGuide(GUIDE, guideValues({ settings, baseUrl, key: "YOUR_KEY" }, "en"));
  const statusOf = new Map(errors.map(({ code, status }) => [code, `${status} ${markdownCode(code)}`]));
  const parts = [
    `# ${settings.application}: guide and reference`,
    baseUrl === "BASE_URL"
      ? "`BASE_URL` stands for the part of this text's address before `/docs.md`, and `YOUR_KEY` for your key."
      : "`YOUR_KEY` stands for your key.",
    // Without the title of the guide and the ids of its sections.
    withoutLinks(
      guide
        .replace(/^# .*\n+/, "")
        .replace(/ \{#\w+\}$/gm, "")
        .trimEnd(),
    ),
    "## Routes",
    ...operations.flatMap((operation) => operationTexts(operation, statusOf)),
    "## Header fields",
    markdownTable(["Field", "Meaning", "Example"], fields),
    "## Error codes",
    errors.map(({ code, en }) => `- ${statusOf.get(code)}: ${withoutLinks(en)}`).join("\n"),
    "## Fields",
    ...shapes.map(({ name, schema }) => `### ${name}\n\n${fieldsText(schema)}`),
    "## Assets",
    markdownTable(["Code", "English", "Persian", "Category", "Unit of values"], assets),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Removes the links that only work on the page. */
function withoutLinks(text: string): string {
  return text.replace(/\[([^[\]]+)\]\((?:reference)?(?:#\w+)?\)/g, "$1");
}

function operationTexts(
  { method, path, summary, description, needsKey, parameters, body, answers, notModified, codes }: Operation,
  statusOf: ReadonlyMap<string, string>,
): readonly string[] {
  const rows = parameters.map(({ name, place, isRequired, type, description: meaning, example }) => [
    markdownCode(name),
    place,
    isRequired ? "yes" : "no",
    type,
    meaning,
    example === "" ? "" : markdownCode(example),
  ]);
  return [
    `### ${method} ${path}`,
    `${summary}.`,
    ...description,
    needsKey ? "Needs a key." : "Needs no key.",
    ...(rows.length > 0 ? [markdownTable(["Parameter", "In", "Required", "Type", "Meaning", "Example"], rows)] : []),
    ...(body ? bodyTexts("Body", body) : []),
    ...answers.flatMap((answer) => bodyTexts("Answer 200", answer)),
    ...(notModified === undefined ? [] : [`Answer 304: ${notModified}.`]),
    `Errors: ${[...statusOf.keys()]
      .filter((code) => codes.includes(code))
      .map((code) => statusOf.get(code))
      .join(", ")}.`,
  ];
}

function bodyTexts(title: string, { contentType, schema, example }: Body): readonly string[] {
  return [
    `${title}: ${markdownCode(contentType)}, ${typeText(schema)}.`,
    ...(isOwnShape(schema) ? [jsonBlock(schema)] : []),
    ...(example === undefined
      ? []
      : [`Example${contentType.includes("json") ? "" : ` as ${contentType}`}:`, jsonBlock(example)]),
  ];
}

function fieldsText(schema: Schema): string {
  const { properties, description = "" } = schema;
  if (!properties) return `${[typeText(schema), description].filter((text) => text !== "").join(". ")}.`;
  const rows = Object.entries(properties).map(([field, shape]) => {
    return [markdownCode(field), typeText(shape), shape.description ?? ""];
  });
  return markdownTable(["Field", "Type", "Meaning"], rows);
}

/** A Markdown table. Cells may contain any text. Each row must have as many cells as there are names. */
export function markdownTable(names: readonly string[], rows: readonly (readonly string[])[]): string {
  return [names, names.map(() => "---"), ...rows.map((row) => row.map(cell))]
    .map((row) => `| ${row.join(" | ")} |`)
    .join("\n");
}

/** A text as inline code, even if it contains backticks. */
export function markdownCode(text: string): string {
  const fence = fenceOf(text, 1);
  return fence === "`" ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`;
}

/** A value as a block of JSON. */
export function jsonBlock(value: unknown): string {
  const text = JSON.stringify(value, undefined, 2);
  const fence = fenceOf(text, 3);
  return `${fence}json\n${text}\n${fence}`;
}

/** A fence that is longer than any run of backticks in the text. */
function fenceOf(text: string, least: number): string {
  return "`".repeat(Math.max(least, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
}

/** Escapes bars, which would end the cell, and backslashes before bars. Line breaks, which end rows, become spaces. */
function cell(text: string): string {
  return text
    .replace(/(?<!\s)\s*[\r\n]\s*/g, " ")
    .replace(/(?<!\\)(\\*)\|/g, "$1$1\\|")
    .replace(/(?<!\\)\\+$/, "$& ")
    .trim();
}
