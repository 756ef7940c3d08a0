// Builds requests from values, for the examples of the reference and for its forms.
import type { Operation, Parameter } from "./read_reference.ts";

/** The parts of an operation that its requests are built from. The form reads it from the page, as JSON. */
export interface Call extends Pick<Operation, "method" | "path" | "needsKey"> {
  readonly parameters: readonly Pick<Parameter, "name" | "place" | "isTime" | "example">[];
  readonly body?: { readonly contentType: string; readonly text: string } | undefined;
}

/** The entered values by parameter name; an empty value leaves a query parameter out. The body's name is `BODY`. */
export type Values = Readonly<Record<string, string>>;

/** A request without its key. */
export interface PlannedRequest extends Pick<Call, "method" | "needsKey" | "body"> {
  /** Encoded. */
  readonly url: string;
}

/** The name of the body among values. No parameter can have it: names consist of letters, digits and underscores. */
export const BODY = "-body";

const DAY_MS = 86_400_000;
const DATE = /\d{4}-\d\d-\d\d/g;

/** The example values of the document. */
export function exampleValues({ parameters, body }: Call): Values {
  return Object.fromEntries([
    ...parameters.map(({ name, example }) => [name, example]),
    ...(body ? [[BODY, body.text]] : []),
  ]);
}

/** The same with all days shifted so that the last one is yesterday, for which a service with current data has an answer. */
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

/** Returns the request for some values. Nothing is checked, so that one can see the server's answer to a mistake. */
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

/** Percent-encoded, except for colons in times and commas in lists, which are allowed in paths and queries. */
function encoded(text: string): string {
  const strict = encodeURIComponent(wellFormed(text)).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return strict.replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** A lone surrogate, which cannot be encoded, becomes U+FFFD, as in `fetch`. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}
