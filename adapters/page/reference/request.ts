// The request that values make: in the examples of the reference, and sent from its form.
import type { Body, Operation, Parameter } from "./read_reference.ts";

/** What is known of a call before anything is entered. */
export interface Call extends Pick<Operation, "method" | "path" | "needsKey"> {
  readonly parameters: readonly Omit<Parameter, "description">[];
  readonly body?: { readonly contentType: string; readonly text: string } | undefined;
}

/** Values by name of the parameter, as they are entered; an empty one leaves a parameter of the query out. The body's is that of `body`, which no parameter is called here. */
export type Values = Readonly<Record<string, string>>;

/** A request without its key. */
export interface PlannedRequest {
  readonly method: string;
  /** Encoded. */
  readonly url: string;
  readonly needsKey: boolean;
  readonly body: { readonly contentType: string; readonly text: string } | undefined;
}

/** The name of the body among values. It is no name of a parameter, which has letters, digits and underscores. */
export const BODY = " body";

const DAY_MS = 86_400_000;
const DATE = /\d{4}-\d\d-\d\d/g;

/** The call of an operation. */
export function callOf({ method, path, needsKey, parameters, body }: Operation): Call {
  return {
    method, path, needsKey,
    parameters: parameters.map(({ description: _, ...parameter }) => parameter),
    body: body && { contentType: body.contentType, text: exampleText(body) },
  };
}

/** The values that the document has as examples. */
export function exampleValues({ parameters, body }: Call): Values {
  return Object.fromEntries([...parameters.map(({ name, example }) => [name, example] as const), ...(body ? [[BODY, body.text] as const] : [])]);
}

/** The same with their days moved together, so that the last of them is yesterday and a service with current data has an answer. */
export function currentValues(call: Call, now: number): Values {
  const isDated = (name: string): boolean => name === BODY || call.parameters.some((parameter) => parameter.name === name && parameter.isTime);
  const examples = Object.entries(exampleValues(call));
  const days = examples.flatMap(([name, text]) => (isDated(name) ? (text.match(DATE) ?? []) : [])).filter((day) => !Number.isNaN(Date.parse(day)));
  const last = days.toSorted().at(-1);
  const move = last === undefined ? 0 : Math.floor(now / DAY_MS) - 1 - Date.parse(last) / DAY_MS;
  const moved = (day: string): string => (Number.isNaN(Date.parse(day)) ? day : new Date(Date.parse(day) + move * DAY_MS).toISOString().slice(0, 10));
  return Object.fromEntries(examples.map(([name, text]) => [name, isDated(name) ? text.replace(DATE, moved) : text]));
}

/** The request that values make. Nothing is checked, so that one can see what a server says to a mistake. */
export function plannedRequest({ method, path, needsKey, parameters, body }: Call, values: Values, baseUrl: string): PlannedRequest {
  const address = baseUrl + path.replace(/\{([^}]*)\}/g, (_, name: string) => encoded(values[name] ?? ""));
  const query = parameters.filter(({ name, place }) => place === "query" && values[name]).map(({ name }) => `${encoded(name)}=${encoded(values[name]!)}`);
  return { method, needsKey, url: [address, ...(query.length > 0 ? [query.join("&")] : [])].join("?"), body: body && { ...body, text: wellFormed(values[BODY] ?? "") } };
}

/** A body's example as one sends it: a text that is not JSON is that text itself. */
function exampleText({ contentType, example }: Body): string {
  if (example === undefined) return "";
  return typeof example === "string" && !/\bjson\b/.test(contentType) ? example : JSON.stringify(example);
}

/** Percent-encoded, except for the colons of times and the commas of lists, which a path and a query may hold as they are. */
function encoded(text: string): string {
  const strict = encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return strict.replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** Half a character, which no encoding can write, becomes U+FFFD, as `fetch` does it. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}
