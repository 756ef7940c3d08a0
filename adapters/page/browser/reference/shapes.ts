// What a JSON Schema says of a value, in the few words that a reader needs.
import { listOf, objectOf, textOf } from "./document.ts";
import type { JsonObject, Resolve } from "./document.ts";

/** A value: its type as one writes it, e.g. `array of string`, `number or null`. */
export interface Shape {
  readonly type: string;
  /** E.g. `date`, `date-time`. */
  readonly format: string | undefined;
  /** All values that it may have, as text; empty if there is no such list. */
  readonly values: readonly string[];
  /** Bounds of a number or of a list's length, e.g. `> 0`, `1 to 200 items`. */
  readonly limits: string | undefined;
  readonly isList: boolean;
}

/** A field of a body. `depth` counts the objects and lists around it. */
export interface FieldRow extends Shape {
  readonly name: string;
  readonly depth: number;
  readonly required: boolean;
  readonly description: string | undefined;
}

/** What lies deeper is left out, as a schema may contain itself. */
const DEEPEST = 5;

/** The shape of a schema. */
export function shapeOf(schema: unknown, resolve: Resolve, depth = 0): Shape {
  const own = depth > DEEPEST ? {} : merged(schema, resolve);
  const options = alternatives(own).map((option) => shapeOf(option, resolve, depth + 1));
  const isList = own["type"] === "array" || options.some((option) => option.isList);
  const inner = own["type"] === "array" ? shapeOf(own["items"], resolve, depth + 1) : undefined;
  return {
    type: inner ? (inner.type === "any" ? "array" : `array of ${inner.type}`) : typeText(own, options),
    format: textOf(own["format"]) ?? inner?.format ?? options.find(({ format }) => format !== undefined)?.format,
    values: [valuesOf(own), inner?.values ?? [], options.flatMap(({ values }) => values)].find((values) => values.length > 0) ?? [],
    limits: limitsOf(own) ?? options.find(({ limits }) => limits !== undefined)?.limits,
    isList,
  };
}

/** The fields of a body, those of an object within it right below it. */
export function fieldRows(schema: unknown, resolve: Resolve, depth = 0): readonly FieldRow[] {
  if (depth > DEEPEST) return [];
  const own = merged(schema, resolve);
  const required = listOf(own["required"]);
  const fields = Object.entries(objectOf(own["properties"])).flatMap(([name, field]) => [
    { name, depth, required: required.includes(name), description: textOf(merged(field, resolve)["description"]), ...shapeOf(field, resolve) },
    ...fieldRows(field, resolve, depth + 1),
  ]);
  const inner = [...(own["type"] === "array" ? [own["items"]] : []), ...alternatives(own)];
  return [...fields, ...inner.flatMap((option) => fieldRows(option, resolve, depth + 1).map((row) => ({ ...row, depth: row.depth - 1 })))];
}

/** A schema with its reference followed, and with the members of all schemas that it must fulfil together. */
function merged(schema: unknown, resolve: Resolve, depth = 0): JsonObject {
  const own = resolve(schema);
  const parts = depth > DEEPEST ? [] : listOf(own["allOf"]).map((part) => merged(part, resolve, depth + 1));
  if (parts.length === 0) return own;
  const all = [...parts, own];
  return {
    ...Object.assign({}, ...all),
    properties: Object.assign({}, ...all.map((part) => objectOf(part["properties"]))),
    required: all.flatMap((part) => listOf(part["required"])),
  };
}

function alternatives(schema: JsonObject): readonly unknown[] {
  return [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])];
}

function typeText(schema: JsonObject, options: readonly Shape[]): string {
  const { type } = schema;
  if (typeof type === "string") return type;
  if (Array.isArray(type)) return type.join(" or ");
  if (options.length > 0) return [...new Set(options.map((option) => option.type))].join(" or ");
  if ("properties" in schema) return "object";
  return "const" in schema ? typeof schema["const"] : "any";
}

function valuesOf(schema: JsonObject): readonly string[] {
  const values = "const" in schema ? [schema["const"]] : listOf(schema["enum"]);
  return values.filter((value) => value !== null).map(String);
}

function limitsOf(schema: JsonObject): string | undefined {
  const texts = [
    bound(">", schema["exclusiveMinimum"]), bound("≥", schema["minimum"]), bound("<", schema["exclusiveMaximum"]), bound("≤", schema["maximum"]),
    range(schema["minItems"], schema["maxItems"], "items"), range(schema["minLength"], schema["maxLength"], "characters"),
  ].filter((text) => text !== undefined);
  return texts.length > 0 ? texts.join(", ") : undefined;
}

function bound(sign: string, value: unknown): string | undefined {
  return typeof value === "number" ? `${sign} ${value}` : undefined;
}

function range(least: unknown, most: unknown, what: string): string | undefined {
  if (typeof least === "number" && typeof most === "number") return `${least} to ${most} ${what}`;
  if (typeof most === "number") return `≤ ${most} ${what}`;
  return typeof least === "number" && least > 0 ? `≥ ${least} ${what}` : undefined;
}
