import type { UtcMillis } from "./brand.ts";
import type { Call, Keep } from "./handler.ts";
import type { Rendered } from "./respond.ts";

/** What a request target led to the last time, and the answer that it had. */
export interface KeptAnswer {
  readonly place: Place;
  readonly rendered: Rendered;
  readonly keep: Keep;
  readonly renderedAt: UtcMillis;
}

/** Where a request target leads to. */
export type Place = Pick<Call, "route" | "params" | "query">;

/**
 * The answers of late, by request target: bytes that stay right until a record comes in are made once, and a
 * target that is asked again and again is taken apart once. Whoever takes one must see that it is still right.
 */
export interface KeptAnswers {
  get(target: string): KeptAnswer | undefined;
  /** Keeps an answer to a target that was asked before; of one that is asked for the first time it only takes note. */
  offer(target: string, answer: KeptAnswer): void;
}

/** Of all answers together. */
const MAX_BYTES = 16 << 20;
/** Longer ones would push many others out, and their making is not what they cost. */
const MAX_ANSWER_BYTES = 1 << 20;
/** What an answer takes besides its body, roughly. */
const OVERHEAD_BYTES = 512;
/** Targets noted that were asked once. */
const MAX_NOTED = 4_096;

/** Whether an answer may still be right as far as the time goes, which can run backwards. */
export function mayBeRight({ keep: { until }, renderedAt }: KeptAnswer, now: UtcMillis): boolean {
  return now >= renderedAt && (until === undefined || now < until);
}

/** Makes an empty collection. What was put in first goes first when there is no more room. */
export function createKeptAnswers(): KeptAnswers {
  const answers = new Map<string, KeptAnswer>();
  const asked = new Set<string>();
  let bytes = 0;

  function drop(target: string): void {
    const answer = answers.get(target);
    if (!answer) return;
    bytes -= sizeOf(answer);
    answers.delete(target);
  }

  return {
    get: (target) => answers.get(target),
    offer(target, answer) {
      const size = sizeOf(answer);
      if (size > MAX_ANSWER_BYTES || !isPlain(answer.place)) return drop(target);
      if (answers.has(target)) drop(target);
      else if (!asked.delete(target)) {
        // Else a caller that asks for ever new ranges would fill the memory with what nobody asks again.
        if (asked.size >= MAX_NOTED) asked.clear();
        asked.add(target);
        return;
      }
      answers.set(target, answer);
      bytes += size;
      for (const [oldest] of answers) {
        if (bytes <= MAX_BYTES) break;
        drop(oldest);
      }
    },
  };
}

function sizeOf({ rendered: { body } }: KeptAnswer): number {
  return OVERHEAD_BYTES + (typeof body === "string" ? 2 * body.length : body.length);
}

/** Whether a query has nothing but what its route reads: anything else, such as a key sent in the wrong place, is not to be kept. */
function isPlain({ query, route }: Place): boolean {
  return query === "" || query.split("&").every((pair) => route.query.includes(pair.split("=", 1)[0]!));
}
