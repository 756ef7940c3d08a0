// Builds requests from values, for the examples and the forms in the reference.
import type { Operation, Parameter } from "./read_reference.ts";

/** The parts of an operation that are needed to build requests. The HTML contains them as JSON for the form. */
export interface Call extends Pick<Operation, "method" | "path" | "needsKey"> {
  readonly parameters: readonly Pick<Parameter, "name" | "place" | "isTime" | "example">[];
  readonly body?: { readonly contentType: string; readonly text: string } | undefined;
}

/** The entered values by parameter name; the name for the body is `BODY`. Empty query parameters are left out. */
export type Values = Readonly<Record<string, string>>;

/** A request without its key. */
export interface PlannedRequest extends Pick<Call, "method" | "needsKey" | "body"> {
  /** Encoded. */
  readonly url: string;
}

/** The name of the body in `Values`. No parameter can have this name, because of the hyphen. */
export const BODY = "-body";

const DAY_MS = 86_400_000;
const DATE = /\d{4}-\d\d-\d\d/g;

/** The example values from the document. */
export function exampleValues({ parameters, body }: Call): Values {
  return Object.fromEntries([
    ...parameters.map(({ name, example }) => [name, example]),
    ...(body ? [[BODY, body.text]] : []),
  ]);
}

/** The example values, with the days shifted so that the last day is yesterday and probably has data. */
export function currentValues(call: Call, now: number): Values {
  const dated = new Set([BODY, ...call.parameters.filter(({ isTime }) => isTime).map(({ name }) => name)]);
  const examples = Object.entries(exampleValues(call));
  const days = examples.flatMap(([name, text]) => (dated.has(name) ? (text.match(DATE) ?? []) : []));
  const last = Math.max(...days.map((day) => Date.parse(day)).filter((time) => !Number.isNaN(time)));
  const move = Math.floor(now / DAY_MS) * DAY_MS - DAY_MS - last;
  const moved = (day: string): string =>
    Number.isNaN(Date.parse(day)) ? day : new Date(Date.parse(day) + move).toISOString().slice(0, 10);
  return Object.fromEntries(examples.map(([name, text]) => [name, dated.has(name) ? text.replace(DATE, moved) : text]));
}

/** Returns the request for some values. They are not checked, so that visitors can see errors. */
export function plannedRequest(call: Call, values: Values, baseUrl: string): PlannedRequest {
  const { method, path, needsKey, parameters, body } = call;
  const address = baseUrl + path.replace(/\{([^{}]*)\}/g, (_, name: string) => encoded(values[name] ?? ""));
  const query = parameters
    .filter(({ name, place }) => place === "query" && values[name])
    .map(({ name }) => `${encoded(name)}=${encoded(values[name]!)}`);
  return {
    method,
    needsKey,
    url: query.length > 0 ? `${address}?${query.join("&")}` : address,
    body: body && { ...body, text: wellFormed(values[BODY] ?? "") },
  };
}

/** Percent-encodes a text except for colons and commas, which paths and queries may contain. */
function encoded(text: string): string {
  const escape = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  const strict = encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, escape);
  return strict.replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** Replaces lone surrogates, which cannot be encoded, by U+FFFD, as `fetch` does. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}
