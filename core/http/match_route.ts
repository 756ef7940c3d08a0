import { quote } from "./errors.ts";
import { pathOf } from "./request_target.ts";
import type { RouteRow } from "./route.ts";

/** A route and the path parameters for it, in the order of its template. */
export interface Match<Row extends RouteRow> {
  readonly route: Row;
  readonly params: readonly string[];
}

/** The routes of one path, one for each method. */
export interface Resource<Row extends RouteRow> {
  /** The path template, as the first route of the path has it. */
  readonly path: string;
  /** The methods of the path, HEAD and OPTIONS included: the value of the `Allow` field. */
  readonly allow: string;
  /** The route for a method, where HEAD is GET; `undefined` when the path does not support it. */
  match(method: string): Match<Row> | undefined;
}

/** Finds the resource of a path; `undefined` when no route has such a path. */
export type Matcher<Row extends RouteRow> = (segments: readonly string[]) => Resource<Row> | undefined;

/** A segment of a path template: a literal text, or a parameter that any text fits. */
export type Segment =
  | { readonly literal: string; readonly parameter?: undefined }
  | { readonly literal?: undefined; readonly parameter: string };

/** Takes a path template such as `/assets/{code}` apart. */
export function templateOf(path: string): readonly Segment[] {
  const segments = path.slice(1).split("/");
  return segments.map((text) =>
    text.startsWith("{") && text.endsWith("}") ? { parameter: text.slice(1, -1) } : { literal: text },
  );
}

interface Pattern<Row> {
  readonly path: string;
  /** The literal segments; `undefined` where a parameter stands. */
  readonly template: readonly (string | undefined)[];
  readonly literals: number;
  readonly routes: Map<string, Row>;
}

/** Makes the matcher of a route table. Of several patterns that fit a path, the one with the most literal segments wins. */
export function createMatcher<Row extends RouteRow>(routes: readonly Row[]): Matcher<Row> {
  const patterns = new Map<string, Pattern<Row>>();
  for (const route of routes) {
    // The same path under another parameter name is the same pattern.
    const template = templateOf(route.path).map(({ literal }) => literal);
    const key = template.map((segment) => segment ?? "{}").join("/");
    const literals = template.filter((segment) => segment !== undefined).length;
    const pattern = patterns.get(key) ?? { path: route.path, template, literals, routes: new Map() };
    pattern.routes.set(route.method, route);
    patterns.set(key, pattern);
  }
  const byLiterals = [...patterns.values()].sort((a, b) => b.literals - a.literals);
  const found = byLiterals.map((pattern) => ({ ...pattern, allow: allowOf(pattern) }));

  return (segments) => {
    for (const { path, template, routes, allow } of found) {
      if (!fits(template, segments)) continue;
      return {
        path,
        allow,
        match(method) {
          const route = routes.get(method === "HEAD" ? "GET" : method);
          return route && { route, params: segments.filter((_, index) => template[index] === undefined) };
        },
      };
    }
    return undefined;
  };
}

/** The message for a path that no route has, where the slash at its end is the reason; `undefined` for other paths. */
export function slashHint(
  segments: readonly string[],
  find: Matcher<RouteRow>,
  sentTarget: string,
): string | undefined {
  if (segments.at(-1) !== "" || !find(segments.slice(0, -1))) return undefined;
  const path = quote(pathOf(sentTarget).replace(/\/$/, ""));
  return `There is no such route, but there is ${path}, without the slash at the end; if the host adds it, turn that off there, e.g. trailingSlash in Next.js; GET /api/v1/status lists the routes`;
}

function allowOf({ routes }: Pattern<RouteRow>): string {
  return [...[...routes.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"].join(
    ", ",
  );
}

function fits(template: Pattern<RouteRow>["template"], segments: readonly string[]): boolean {
  if (template.length !== segments.length) return false;
  for (let i = 0; i < template.length; i++) {
    const part = template[i];
    if (part === undefined ? segments[i] === "" : part !== segments[i]) return false;
  }
  return true;
}
