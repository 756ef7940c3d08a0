// Custom routes beside the nine.
import { templateOf } from "../http/match.ts";
import type { Segment } from "../http/match.ts";
import { parseDate } from "../time/dates.ts";
import type { Route } from "./handler.ts";

/**
 * Checks that each custom route has a method and path of its own, and takes no request that one of `fixed` answers.
 *
 * @param codes The catalog by code, since a literal segment that is no asset code takes nothing from `{assetName}`.
 * @throws RangeError for a clash, which names both routes.
 */
export function demandOwnPlaces(own: readonly Route[], fixed: readonly Route[], codes: ReadonlyMap<string, unknown>): void {
  const routes = [...fixed];
  for (const added of own) {
    const robbed = routes.find((route) => clash(added, route, fixed.includes(route), codes));
    if (robbed) throw new RangeError(`Cannot add the route "${added.method} ${added.path}" as "${robbed.method} ${robbed.path}" answers such requests`);
    routes.push(added);
  }
}

function clash(added: Route, route: Route, isFixed: boolean, codes: ReadonlyMap<string, unknown>): boolean {
  const [mine, theirs] = [templateOf(added.path), templateOf(route.path)];
  return (isFixed && takesFrom(mine, theirs, codes)) || (added.method === route.method && nameOf(mine) === nameOf(theirs));
}

/** A template without the names of its parameters, which do not tell paths apart. */
function nameOf(template: readonly Segment[]): string {
  return template.map(({ literal = "{}" }) => literal).join("/");
}

/** Whether a template wins over a fixed one by a literal where the fixed one has a parameter that could have this value. */
function takesFrom(mine: readonly Segment[], theirs: readonly Segment[], codes: ReadonlyMap<string, unknown>): boolean {
  if (mine.length !== theirs.length || literals(mine) <= literals(theirs)) return false;
  return mine.every(({ literal }, at) => {
    const other = theirs[at]!.literal;
    return literal === undefined || (other === undefined ? codes.has(literal) || parseDate(literal) !== undefined : other === literal);
  });
}

function literals(template: readonly Segment[]): number {
  return template.filter(({ literal }) => literal !== undefined).length;
}
