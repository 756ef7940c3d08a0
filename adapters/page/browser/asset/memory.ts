import { err, ok } from "../../../../core/internal.ts";
import type { Result } from "../../../../core/mod.ts";

/** What came of a request. The error is whatever was thrown. */
export type Outcome<Value> = Result<Value, unknown>;

/** Answers by the target of their request, so that drawing anew costs no unit. Failures are not kept: asking again may help. */
export interface Memory<Value> {
  /** The answer to a request; `undefined` while there is none. */
  answer(target: string): Outcome<Value> | undefined;
  /** The answer that there is or is on its way, else the outcome of `load`. Never rejects. */
  ask(target: string, load: () => Promise<Value>): Promise<Outcome<Value>>;
  /** Forgets all answers, those on their way included. */
  clear(): void;
}

/**
 * Makes a memory.
 *
 * @param maxAnswers The oldest answers beyond so many are forgotten.
 */
export function createMemory<Value>(maxAnswers: number): Memory<Value> {
  const answers = new Map<string, Outcome<Value>>();
  const loading = new Map<string, Promise<Outcome<Value>>>();

  function start(target: string, load: () => Promise<Value>): Promise<Outcome<Value>> {
    const coming = attempt(load).then((outcome) => {
      if (loading.get(target) !== coming) return outcome; // forgotten meanwhile
      loading.delete(target);
      if (outcome.ok) answers.set(target, outcome);
      const [oldest] = answers.keys();
      if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest);
      return outcome;
    });
    loading.set(target, coming);
    return coming;
  }

  return {
    answer: (target) => answers.get(target),
    ask(target, load) {
      const found = answers.get(target);
      return found === undefined ? (loading.get(target) ?? start(target, load)) : Promise.resolve(found);
    },
    clear() {
      answers.clear();
      loading.clear();
    },
  };
}

async function attempt<Value>(load: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return ok(await load());
  } catch (error) {
    return err(error);
  }
}
