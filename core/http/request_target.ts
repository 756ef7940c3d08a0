import { err, ok, type Result } from "../result.ts";
import { type Failure, failure } from "./errors.ts";

/** The parts of a valid request target. */
export interface Target {
  /** The segments of the path, decoded once. Only the last segment can be empty: after a trailing slash. */
  readonly segments: readonly string[];
  /** The text after the first `?`, as sent. Empty if there is no `?`. */
  readonly query: string;
}

/** Query parameters by name, decoded. A known name occurs at most once. */
export type Query = ReadonlyMap<string, string>;

const MAX_TARGET_LENGTH = 4_096;
const MAX_PARAMETERS = 32;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;
// Matches a path that a log, or a proxy that collapses dots and slashes, could misread.
const UNSAFE_PATH = /[^\x21-\x7e]|[#\\]|\/\/|\/\.{1,2}(?:\/|$)|%(?![0-9a-f]{2})|%(?:00|2e|2f|5c)/i;

/** Parses a target, also in absolute form (RFC 9112, 3.2.2). Avoids the URL class, which rewrites hosts and dots. */
export function parseTarget(raw: string): Result<Target, Failure> {
  if (raw.length > MAX_TARGET_LENGTH) return err(failure("URI_TOO_LONG"));
  const target = originForm(raw);
  const path = pathOf(target);
  if (!path.startsWith("/") || UNSAFE_PATH.test(path))
    return err(failure("INVALID_REQUEST", "The path is not well-formed"));
  const query = target.slice(path.length + 1);
  const sent = path.slice(1).split("/");
  if (!path.includes("%")) return ok({ segments: sent, query });
  const segments: string[] = [];
  for (const segment of sent) {
    const decoded = decode(segment);
    if (decoded === undefined) return err(failure("INVALID_REQUEST", "The path is not percent-encoded UTF-8"));
    segments.push(decoded);
  }
  return ok({ segments, query });
}

/** The origin form of a target, which may be in absolute form. The absolute form may lack a path. */
function originForm(raw: string): string {
  if (raw.startsWith("/")) return raw;
  const origin = raw.replace(ABSOLUTE_FORM, "");
  return origin === "" || (origin !== raw && origin.startsWith("?")) ? `/${origin}` : origin;
}

/** A target without its base path, or `undefined` if its path is not below the base path. */
export function targetAfter(basePath: string, raw: string): string | undefined {
  const target = originForm(raw);
  const rest = target.slice(basePath.length);
  if (!target.startsWith(basePath) || !/^(?:$|[/?])/.test(rest)) return undefined;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** The path of a target, for error bodies. The target may be malformed, or empty if the request could not be read. */
export function pathOf(raw: string): string {
  const target = raw === "" ? "" : originForm(raw);
  const end = target.indexOf("?");
  return end === -1 ? target : target.slice(0, end);
}

/** The failure of a query with more parameters than any route accepts. The API checks every query. */
export function queryFailure(query: string): Failure | undefined {
  if (pairsOf(query).length <= MAX_PARAMETERS) return undefined;
  return failure("INVALID_REQUEST", `A query has at most ${MAX_PARAMETERS} parameters`);
}

/** Reads the `known` parameters, and ignores all others. Leaves a text unchanged if it is not percent-encoded UTF-8. */
export function parseQuery(query: string, known: readonly string[]): Result<Query, Failure> {
  const found = new Map<string, string>();
  for (const pair of pairsOf(query)) {
    const equals = pair.indexOf("=");
    const name = decodeForm(equals === -1 ? pair : pair.slice(0, equals));
    if (!known.includes(name)) continue;
    if (found.has(name)) return err(failure("DUPLICATE_PARAMETER", `${name} may be given only once`));
    found.set(name, equals === -1 ? "" : decodeForm(pair.slice(equals + 1)));
  }
  return ok(found);
}

function pairsOf(query: string): string[] {
  return query === "" ? [] : query.split("&").filter((pair) => pair !== "");
}

function decodeForm(text: string): string {
  const spaced = text.includes("+") ? text.replaceAll("+", " ") : text;
  return decode(spaced) ?? spaced;
}

function decode(text: string): string | undefined {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
