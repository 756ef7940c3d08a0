// The documentation as one text for machines that read: GET /docs.md.
import type { OpenApiDocument } from "../../core/openapi/mod.ts";
import { fillGuide, guideValues } from "./guide/guide_values.ts";
import type { GuideFacts } from "./guide/guide_values.ts";
import { jsonBlock, markdownCode, markdownTable } from "./markdown.ts";
import type { PageSettings } from "./page_settings.ts";
import { isOwnShape, readReference, typeText } from "./reference/read_reference.ts";
import type { Body, Operation, Reference } from "./reference/read_reference.ts";

/** What the texts for machines are made from. */
export interface TextSources {
  readonly settings: GuideFacts["settings"] & Pick<PageSettings, "application">;
  /** The OpenAPI document of the same settings. */
  readonly document: OpenApiDocument;
}

/**
 * Makes the whole documentation: the guide, and the reference with every route, field, error code and asset.
 *
 * @param guide The English guide, as `guide/en.md` has it.
 */
export function docsMarkdown({ settings, document }: TextSources, guide: string): string {
  const reference = readReference(document);
  const { operations, headers, errors, baseUrl = "BASE_URL" } = reference;
  const assets = settings.assets.map(({ code, labelEn, labelFa, category, quoteUnit }) => [markdownCode(code), labelEn, labelFa, category, quoteUnit]);
  return [
    `# ${settings.application}: guide and reference`,
    baseUrl === "BASE_URL" ? "`BASE_URL` stands for the address of this text without `/docs.md`, and `YOUR_KEY` for your key." : "`YOUR_KEY` stands for your key.",
    // Without its own title, without the names of its sections.
    withoutLinks(fillGuide(guide, guideValues({ settings, baseUrl, key: "YOUR_KEY" }, "en")).replace(/^# .*\n+/, "").replace(/ \{#\w+\}$/gm, "").trimEnd()),
    "## Routes",
    ...operations.flatMap((operation) => operationTexts(operation, reference)),
    "## Header fields",
    markdownTable(["Field", "Meaning", "Example"], headers.map(({ name, description, example }) => [markdownCode(name), description, markdownCode(example)])),
    "## Error codes",
    errors.map(({ code, status, en }) => `- ${status} ${markdownCode(code)}: ${withoutLinks(en)}`).join("\n"),
    "## Fields",
    ...fieldTexts(reference),
    "## Assets",
    markdownTable(["Code", "English", "Persian", "Category", "Unit of values"], assets),
  ].join("\n\n") + "\n";
}

/** A text without links that only the page has. */
function withoutLinks(text: string): string {
  return text.replace(/\[([^\]]+)\]\((?:reference)?(?:#\w+)?\)/g, "$1");
}

function operationTexts({ method, path, summary, description, needsKey, parameters, body, answers, notModified, codes }: Operation, { errors }: Reference): readonly string[] {
  const rows = parameters.map(({ name, place, isRequired, type, description: meaning, example }) => [
    markdownCode(name), place, isRequired ? "yes" : "no", type, meaning, example === "" ? "" : markdownCode(example),
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
    `Errors: ${errors.filter(({ code }) => codes.includes(code)).map(({ code, status }) => `${status} ${markdownCode(code)}`).join(", ")}.`,
  ];
}

function bodyTexts(title: string, { contentType, schema, example }: Body): readonly string[] {
  return [
    `${title}: ${markdownCode(contentType)}, ${typeText(schema)}.`,
    ...(isOwnShape(schema) ? [jsonBlock(schema)] : []),
    ...(example === undefined ? [] : [`Example${contentType.includes("json") ? "" : ` as ${contentType}`}:`, jsonBlock(example)]),
  ];
}

function fieldTexts({ shapes }: Reference): readonly string[] {
  return shapes.map(({ name, schema }) => {
    const { properties, description = "" } = schema;
    if (!properties) return `### ${name}\n\n${[typeText(schema), description].filter((text) => text !== "").join(". ")}.`;
    const rows = Object.entries(properties).map(([field, shape]) => [markdownCode(field), typeText(shape), shape.description ?? ""]);
    return `### ${name}\n\n${markdownTable(["Field", "Type", "Meaning"], rows)}`;
  });
}
