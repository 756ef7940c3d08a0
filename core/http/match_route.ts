import { quote } from "./errors.ts";
import { pathOf } from "./request_target.ts";
import type { RouteMatch, RouteRow } from "./route.ts";

/** The routes of one path, one for each method. */
export interface Resource<Row extends RouteRow> {
  /** The path template of the first route. */
  readonly path: string;
  /** The value of the `Allow` field: the methods of the path, including HEAD and OPTIONS. */
  readonly allow: string;
  /** The route for a method, or `undefined` if the path does not support it. HEAD has the route of GET. */
  match(method: string): Omit<RouteMatch<Row>, "query"> | undefined;
}

/** Finds the resource of a path; returns `undefined` if no route has such a path. */
export type Matcher<Row extends RouteRow> = (segments: readonly string[]) => Resource<Row> | undefined;

/** Splits a path template such as `/assets/{code}` into its segments. */
export function templateOf(path: string): readonly string[] {
  return path.slice(1).split("/");
}

/** The name of the parameter that a segment such as `{code}` stands for; `undefined` for a literal segment. */
export function parameterOf(segment: string): string | undefined {
  return segment.startsWith("{") && segment.endsWith("}") ? segment.slice(1, -1) : undefined;
}

/** A path template without its parameter names, because names do not distinguish paths. */
export function patternOf(path: string): string {
  return path.replace(/\{\w+\}/g, "{}");
}

/** The names of the parameters of a path template, in order. */
export function parameterNames(path: string): readonly string[] {
  return templateOf(path).flatMap((segment) => parameterOf(segment) ?? []);
}

/**
 * Makes the matcher of a route table. If several patterns fit a path, the one with the most literal segments wins.
 * Throws `RangeError` for two routes with the same method and pattern.
 */
export function createMatcher<Row extends RouteRow>(table: readonly Row[]): Matcher<Row> {
  const patterns = [...new Set(table.map(({ path }) => patternOf(path)))].map((pattern) => {
    const rows = table.filter(({ path }) => patternOf(path) === pattern);
    const routes = new Map<string, Row>();
    for (const row of rows) {
      const { method, path } = row;
      const other = routes.get(method);
      if (other)
        throw new RangeError(
          `Cannot add the route "${method} ${path}" because "${method} ${other.path}" already answers these requests`,
        );
      routes.set(method, row);
    }
    const methods = [...routes.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
    const template = templateOf(pattern).map((segment) => (parameterOf(segment) === undefined ? segment : undefined));
    const literals = template.filter((literal) => literal !== undefined).length;
    return { path: rows[0]!.path, template, routes, literals, allow: [...methods, "OPTIONS"].join(", ") };
  });
  patterns.sort((a, b) => b.literals - a.literals);

  return (segments) => {
    for (const { path, template, routes, allow } of patterns) {
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

/** Explains an unknown path that would be valid without its trailing slash, or returns `undefined`. */
export function slashHint(segments: readonly string[], find: Matcher<RouteRow>, target: string): string | undefined {
  if (segments.at(-1) !== "" || !find(segments.slice(0, -1))) return undefined;
  const path = quote(pathOf(target).replace(/\/$/, ""));
  return `There is no such route, but there is ${path}, without the trailing slash; if your host adds the slash, turn that off, e.g. trailingSlash in Next.js; GET /api/v1/status lists the routes`;
}

/** @param template The segments. A literal segment is a text, a parameter is `undefined`. */
function fits(template: readonly (string | undefined)[], segments: readonly string[]): boolean {
  if (template.length !== segments.length) return false;
  for (let i = 0; i < template.length; i++) {
    const literal = template[i];
    if (literal === undefined ? segments[i] === "" : literal !== segments[i]) return false;
  }
  return true;
}
