import type { Route } from "./handler.ts";

/** A route found for a method and a path. */
export interface Match {
  readonly route: Route;
  readonly params: readonly string[];
}

/** What a path leads to: one route for each of its methods. */
export interface Resource {
  /** The methods that the path takes, HEAD and OPTIONS included: the value of `Allow`. */
  readonly allow: string;
  /** The route for a method, HEAD being GET; `undefined` when the path does not take it. */
  match(method: string): Match | undefined;
}

/** Finds what a path leads to; `undefined` when no route has such a path. */
export type Matcher = (segments: readonly string[]) => Resource | undefined;

interface Pattern {
  readonly template: readonly string[];
  readonly literals: number;
  readonly routes: Route[];
}

/** Makes the matcher of a route table. A path belongs to the pattern with the most literal segments. */
export function createMatcher(routes: readonly Route[]): Matcher {
  const patterns = new Map<string, Pattern>();
  for (const route of routes) {
    // The same path under another parameter name is the same pattern.
    const template = route.path.slice(1).split("/").map((segment) => (isParameter(segment) ? "{}" : segment));
    const key = template.join("/");
    const literals = template.filter((segment) => !isParameter(segment)).length;
    const pattern = patterns.get(key) ?? { template, literals, routes: [] };
    pattern.routes.push(route);
    patterns.set(key, pattern);
  }
  const byLiterals = [...patterns.values()].sort((a, b) => b.literals - a.literals);

  return (segments) => {
    const pattern = byLiterals.find(({ template }) => fits(template, segments));
    if (!pattern) return undefined;
    const params = segments.filter((_, index) => isParameter(pattern.template[index]!));
    const methods = pattern.routes.map((route) => route.method);
    return {
      allow: [...methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"].join(", "),
      match(method) {
        const wanted = method === "HEAD" ? "GET" : method;
        const route = pattern.routes.find((candidate) => candidate.method === wanted);
        return route && { route, params };
      },
    };
  };
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) => (isParameter(part) ? segments[index] !== "" : part === segments[index]))
  );
}

function isParameter(segment: string): boolean {
  return segment.startsWith("{");
}
