// The request that values make: in the examples of the reference, and sent from its form.
import type { Operation, Parameter } from "./read_reference.ts";

/** What of an operation makes its requests. Its form gets it from the page, as JSON. */
export interface Call extends Pick<Operation, "method" | "path" | "needsKey"> {
  readonly parameters: readonly Pick<Parameter, "name" | "place" | "isTime" | "example">[];
  readonly body?: { readonly contentType: string; readonly text: string } | undefined;
}

/** Values by name of the parameter, as they are entered; an empty one leaves a parameter of the query out. The body's is that of `BODY`. */
export type Values = Readonly<Record<string, string>>;

/** A request without its key. */
export interface PlannedRequest extends Pick<Call, "method" | "needsKey" | "body"> {
  /** Encoded. */
  readonly url: string;
}

/** The name of the body among values. It is no name of a parameter, which has letters, digits and underscores. */
export const BODY = "-body";

const DAY_MS = 86_400_000;
const DATE = /\d{4}-\d\d-\d\d/g;

/** The values that the document has as examples. */
export function exampleValues({ parameters, body }: Call): Values {
  return Object.fromEntries([
    ...parameters.map(({ name, example }) => [name, example]),
    ...(body ? [[BODY, body.text]] : []),
  ]);
}

/** The same with their days moved together, so that the last of them is yesterday and a service with current data has an answer. */
export function currentValues(call: Call, now: number): Values {
  const isDated = (name: string): boolean =>
    name === BODY || call.parameters.some((parameter) => parameter.name === name && parameter.isTime);
  const examples = Object.entries(exampleValues(call));
  const dated = examples
    .filter(([name]) => isDated(name))
    .map(([, text]) => text)
    .join(" ");
  const last = Math.max(
    ...(dated.match(DATE) ?? []).map((day) => Date.parse(day)).filter((time) => !Number.isNaN(time)),
  );
  const move = Math.floor(now / DAY_MS) * DAY_MS - DAY_MS - last;
  const moved = (day: string): string =>
    Number.isNaN(Date.parse(day)) ? day : new Date(Date.parse(day) + move).toISOString().slice(0, 10);
  return Object.fromEntries(examples.map(([name, text]) => [name, isDated(name) ? text.replace(DATE, moved) : text]));
}

/** The request that values make. Nothing is checked, so that one can see what a server says to a mistake. */
export function plannedRequest(
  { method, path, needsKey, parameters, body }: Call,
  values: Values,
  baseUrl: string,
): PlannedRequest {
  const address = baseUrl + path.replace(/\{([^{}]*)\}/g, (_, name: string) => encoded(values[name] ?? ""));
  const query = parameters
    .filter(({ name, place }) => place === "query" && values[name])
    .map(({ name }) => `${encoded(name)}=${encoded(values[name]!)}`);
  return {
    method,
    needsKey,
    url: [address, ...(query.length > 0 ? [query.join("&")] : [])].join("?"),
    body: body && { ...body, text: wellFormed(values[BODY] ?? "") },
  };
}

/** Percent-encoded, except for the colons of times and the commas of lists, which a path and a query may hold as they are. */
function encoded(text: string): string {
  const strict = encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return strict.replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** Half a character, which no encoding can write, becomes U+FFFD, as `fetch` does it. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}
