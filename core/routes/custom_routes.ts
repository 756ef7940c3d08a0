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
  const taken = new Map(fixed.map((route) => [placeOf(route), route]));
  for (const added of own) {
    const robbed = taken.get(placeOf(added)) ?? fixed.find((route) => takesFrom(templateOf(added.path), templateOf(route.path), codes));
    if (robbed) throw new RangeError(`Cannot add the route "${added.method} ${added.path}" as "${robbed.method} ${robbed.path}" answers such requests`);
    taken.set(placeOf(added), added);
  }
}

/** Method and path without the names of its parameters, which do not tell paths apart. */
function placeOf({ method, path }: Route): string {
  return `${method} ${templateOf(path).map(({ literal = "{}" }) => literal).join("/")}`;
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
