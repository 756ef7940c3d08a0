// What the form holds, and the request that it makes. The same request is sent and shown in the examples.
import type { Body, Operation } from "./operations.ts";

/** How the key is sent: in one of the two header fields, or not at all, to see what a server says to that. */
export type KeyForm = "X-API-Key" | "Authorization" | "none";

/** What stands in the form of an operation. */
export interface Entries {
  /** By name of the parameter; an empty text leaves a query parameter out. */
  readonly values: Readonly<Record<string, string>>;
  readonly body: string;
  readonly keyForm: KeyForm;
}

/** A request without its key. */
export interface PlannedRequest {
  readonly method: string;
  /** Absolute, encoded. */
  readonly url: string;
  /** The URL without its query, and the query's parameters as they were entered. */
  readonly address: string;
  readonly query: readonly (readonly [name: string, value: string])[];
  readonly keyForm: KeyForm;
  readonly body: RequestBody | undefined;
}

/** A body as it is sent. */
export interface RequestBody {
  readonly contentType: string;
  readonly text: string;
}

const DAY_MS = 86_400_000;
const DATE = /\d{4}-\d\d-\d\d/g;

/**
 * The entries that a form begins with: the document's examples. Their days are moved by the same number of days, so that
 * the last of them is yesterday and a service with current data has an answer.
 */
export function firstEntries({ parameters, body, keyFields }: Operation, now: Date): Entries {
  const dated = parameters.filter(({ shape }) => shape.format === "date" || shape.format === "date-time");
  const bodyText = body === undefined ? "" : exampleText(body);
  const bodyHasDates = body?.fields.some(({ format }) => format === "date" || format === "date-time") ?? false;
  const days = [...dated.map(({ example }) => example), ...(bodyHasDates ? [bodyText] : [])].flatMap((text) => text.match(DATE) ?? []);
  const last = days.toSorted().at(-1);
  const move = last === undefined ? 0 : Math.floor(now.getTime() / DAY_MS) - 1 - dayOf(last);
  const moved = (text: string): string => text.replace(DATE, (day) => addDays(day, move));
  const values = parameters.map((parameter) => [parameter.name, dated.includes(parameter) ? moved(parameter.example) : parameter.example]);
  return {
    values: Object.fromEntries(values),
    body: bodyHasDates ? moved(bodyText) : bodyText,
    keyForm: keyFields.length > 0 ? "X-API-Key" : "none",
  };
}

/** A body's example as one sends it: a text that is not JSON is that text itself. */
function exampleText({ contentType, example }: Body): string {
  if (example === undefined) return "";
  return typeof example === "string" && !/\bjson\b/.test(contentType) ? example : JSON.stringify(example, undefined, 2);
}

/** The request that an operation's entries make. Nothing is checked, so that one can see what a server says to a mistake. */
export function plannedRequest({ method, path, parameters, body, keyFields }: Operation, { values, body: text, keyForm }: Entries, baseUrl: string): PlannedRequest {
  const query = parameters.filter(({ place }) => place === "query")
    .map(({ name }) => [name, wellFormed(values[name] ?? "")] as const)
    .filter(([, value]) => value !== "");
  const address = baseUrl + path.replace(/\{([^}]*)\}/g, (_, name: string) => encoded(values[name] ?? ""));
  const search = query.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join("&");
  return {
    method,
    url: search === "" ? address : `${address}?${search}`,
    address,
    query,
    keyForm: keyFields.length > 0 ? keyForm : "none",
    body: body && { contentType: body.contentType, text: wellFormed(text) },
  };
}

/** Whether a part of the path is `.` or `..`. Browsers, curl and most libraries take these out, and ask for another address. */
export function hasDotSegments({ address }: PlannedRequest): boolean {
  return /\/\.{1,2}(?=\/|$)/.test(address);
}

/** What is thrown in place of sending such a request. */
export class DotSegments extends Error {}

/** Percent-encoded, except for the colons of times and the commas of lists, which a path and a query may hold as they are. */
function encoded(text: string): string {
  const strict = encodeURIComponent(wellFormed(text)).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  return strict.replaceAll("%3A", ":").replaceAll("%2C", ",");
}

/** Half a character, which no encoding can write, becomes U+FFFD, as `fetch` does it. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD");
}

function dayOf(date: string): number {
  return Math.floor(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
}

/** The date some days later; a text that is no date stays as it is. */
function addDays(date: string, days: number): string {
  const moved = new Date((dayOf(date) + days) * DAY_MS);
  return Number.isNaN(moved.getTime()) ? date : moved.toISOString().slice(0, 10);
}
