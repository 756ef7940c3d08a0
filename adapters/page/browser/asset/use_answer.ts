import { useEffect, useState } from "preact/hooks";
import type { Question } from "./answers.ts";
import type { Outcome } from "./memory.ts";

/** An answer as far as it is known, and how to ask anew after a failure. */
export interface Awaited<Value> {
  /** `undefined` while it is on its way, or nothing is asked. */
  readonly outcome: Outcome<Value> | undefined;
  retry(): void;
}

/** Asks a question unless its answer is known already, and draws anew when it comes. `undefined` asks nothing. */
export function useAnswer<Value>(question: Question<Value> | undefined): Awaited<Value> {
  const [tries, setTries] = useState(0);
  const [failed, setFailed] = useState<{ readonly target: string; readonly outcome: Outcome<Value> }>();
  const [, redraw] = useState({});
  const target = question?.call.target;

  useEffect(() => {
    if (question === undefined || question.answer() !== undefined) return;
    let isLeft = false;
    setFailed(undefined);
    void question.ask().then((outcome) => {
      if (isLeft) return;
      if (outcome.ok) redraw({});
      else setFailed({ target: question.call.target, outcome });
    });
    return () => {
      isLeft = true;
    };
  }, [target, tries]);
  return { outcome: question?.answer() ?? (failed?.target === target ? failed?.outcome : undefined), retry: () => setTries(tries + 1) };
}
