import type { Route } from "../routes/handler.ts";

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
  /** The literal segments; `undefined` where a parameter stands. */
  readonly template: readonly (string | undefined)[];
  readonly literals: number;
  readonly routes: Map<string, Route>;
}

/** Makes the matcher of a route table. A path belongs to the pattern with the most literal segments. */
export function createMatcher(routes: readonly Route[]): Matcher {
  const patterns = new Map<string, Pattern>();
  for (const route of routes) {
    // The same path under another parameter name is the same pattern.
    const template = route.path.slice(1).split("/").map((segment) => (segment.startsWith("{") ? undefined : segment));
    const key = template.map((segment) => segment ?? "{}").join("/");
    const literals = template.filter((segment) => segment !== undefined).length;
    const pattern = patterns.get(key) ?? { template, literals, routes: new Map() };
    pattern.routes.set(route.method, route);
    patterns.set(key, pattern);
  }
  const byLiterals = [...patterns.values()].sort((a, b) => b.literals - a.literals);
  const found = byLiterals.map((pattern) => ({ ...pattern, allow: allowOf(pattern) }));

  return (segments) => {
    for (const { template, routes, allow } of found) {
      if (!fits(template, segments)) continue;
      return {
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

function allowOf({ routes }: Pattern): string {
  return [...[...routes.keys()].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"].join(", ");
}

function fits(template: Pattern["template"], segments: readonly string[]): boolean {
  if (template.length !== segments.length) return false;
  for (let i = 0; i < template.length; i++) {
    const part = template[i];
    if (part === undefined ? segments[i] === "" : part !== segments[i]) return false;
  }
  return true;
}
