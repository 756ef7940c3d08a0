import type { Call } from "../routes/handler.ts";

/** Where a request target leads to. */
export type Place = Pick<Call, "route" | "params" | "query">;

/** Where targets led to that were asked of late: taking one apart costs more than most answers do. */
export interface Places {
  get(target: string): Place | undefined;
  note(target: string, place: Place): void;
}

const MAX_PLACES = 4_096;
/** Longer ones are rare, and thousands of them would be megabytes. */
const MAX_TARGET_LENGTH = 256;

/** Makes an empty collection; it is emptied when it is full. */
export function createPlaces(): Places {
  const places = new Map<string, Place>();
  return {
    get: (target) => places.get(target),
    note(target, place) {
      if (target.length > MAX_TARGET_LENGTH || !isPlain(place)) return;
      if (places.size >= MAX_PLACES) places.clear();
      places.set(target, place);
    },
  };
}

/** Whether a query has nothing but what its route reads: anything else, such as a key sent in the wrong place, is not to be kept. */
function isPlain({ query, route }: Place): boolean {
  return query === "" || query.split("&").every((pair) => route.query.includes(pair.split("=", 1)[0]!));
}
