import type { UtcMillis } from "../brand.ts";
import type { Keep } from "../routes/handler.ts";
import type { Rendered } from "./respond.ts";

/** The answer that a request target had. */
export interface KeptAnswer {
  readonly rendered: Rendered;
  readonly keep: Keep;
  readonly renderedAt: UtcMillis;
}

/**
 * The answers of late, by request target: bytes that stay right until a record comes in are made once, and may be
 * asked for thousands of times until then. Whoever takes one must see that it is still right.
 */
export interface KeptAnswers {
  get(target: string): KeptAnswer | undefined;
  keep(target: string, answer: KeptAnswer): void;
}

/** Of all answers together. */
const MAX_BYTES = 16 << 20;
/** Longer ones would push many others out, and their making is not what they cost. */
const MAX_ANSWER_BYTES = 1 << 20;
/** What an answer takes besides its body, roughly. */
const OVERHEAD_BYTES = 512;

/** Whether an answer may still be right as far as the time goes, which can run backwards. */
export function mayBeRight({ keep: { until }, renderedAt }: KeptAnswer, now: UtcMillis): boolean {
  return now >= renderedAt && (until === undefined || now < until);
}

/** Makes an empty collection. What was put in first goes first when there is no more room. */
export function createKeptAnswers(): KeptAnswers {
  const answers = new Map<string, KeptAnswer>();
  let bytes = 0;

  function drop(target: string): void {
    const answer = answers.get(target);
    if (!answer) return;
    bytes -= sizeOf(answer);
    answers.delete(target);
  }

  return {
    get: (target) => answers.get(target),
    keep(target, answer) {
      const size = sizeOf(answer);
      drop(target);
      if (size > MAX_ANSWER_BYTES) return;
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
