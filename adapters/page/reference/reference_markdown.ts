// The reference as Markdown.
import { errorText } from "../guide/error_text.ts";
import { jsonBlock, markdownCode, markdownTable } from "../markdown.ts";
import { isOwnShape, typeText } from "./read_reference.ts";
import type { Body, Operation, Parameter, Reference } from "./read_reference.ts";

/** The routes, a heading and a part for each; the header fields of answers, the errors, and the fields of bodies. */
export function referenceMarkdown({ operations, headers, shapes, errors }: Reference): string {
  const statusOf = new Map(errors.map(({ code, status }) => [code, status]));
  return [
    "## Routes",
    ...operations.map((operation) => operationText(operation, statusOf)),
    "## Header fields",
    markdownTable(["Field", "Meaning", "Example"], headers.map(({ name, description, example }) => [markdownCode(name), description, markdownCode(example)])),
    "## Error codes",
    errors.map((error) => `- ${error.status} ${markdownCode(error.code)}: ${errorText(error, "en").replace(/\[([^\]]+)\]\(#\w+\)/g, "$1")}`).join("\n"),
    "## Fields",
    ...shapes.map(({ name, schema }) => {
      const { properties, description = "" } = schema;
      if (!properties) return `### ${name}\n\n${[typeText(schema), description].filter((text) => text !== "").join(". ")}.`;
      const rows = Object.entries(properties).map(([field, shape]) => [markdownCode(field), typeText(shape), shape.description ?? ""]);
      return `### ${name}\n\n${markdownTable(["Field", "Type", "Meaning"], rows)}`;
    }),
  ].join("\n\n");
}

function operationText({ method, path, summary, description, needsKey, parameters, body, answers, notModified, codes }: Operation, statusOf: ReadonlyMap<string, number>): string {
  return [
    `### ${method} ${path}`,
    `${summary}.`,
    ...description,
    needsKey ? "Needs a key." : "Needs no key.",
    ...(parameters.length > 0 ? [parameterTable(parameters)] : []),
    ...(body ? bodyText("Body", body) : []),
    ...answers.flatMap((answer) => bodyText("Answer 200", answer)),
    ...(notModified === undefined ? [] : [`Answer 304: ${notModified}.`]),
    `Errors: ${codes.map((code) => `${statusOf.get(code)} ${markdownCode(code)}`).join(", ")}.`,
  ].join("\n\n");
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(({ name, place, isRequired, type, description, example }) => [
    markdownCode(name), place, isRequired ? "yes" : "no", type, description, example === "" ? "" : markdownCode(example),
  ]);
  return markdownTable(["Parameter", "In", "Required", "Type", "Meaning", "Example"], rows);
}

function bodyText(title: string, { contentType, schema, example }: Body): readonly string[] {
  return [
    `${title}: ${markdownCode(contentType)}, ${typeText(schema)}.`,
    ...(isOwnShape(schema) ? [jsonBlock(schema)] : []),
    ...(example === undefined ? [] : [`Example${contentType.includes("json") ? "" : ` as ${contentType}`}:`, jsonBlock(example)]),
  ];
}
