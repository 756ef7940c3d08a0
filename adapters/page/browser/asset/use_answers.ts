import { useEffect, useState } from "preact/hooks";
import { usePage } from "../page_context.ts";
import { answerTo, ask, type Call } from "./price_calls.ts";

/** Asks some calls one after the other, and draws anew with each answer. What has failed is as `FailureBox` takes it: to retry asks for what has not come. */
export function useAnswers<Item>(calls: readonly Call<Item>[], version = "") {
  const page = usePage();
  const [tries, setTries] = useState(0);
  const [outcome, setOutcome] = useState<{ readonly of?: string; readonly thrown?: unknown }>({});
  const asked = [page.key, ...calls.map(({ target }) => target)].join(" ");

  useEffect(() => {
    let isLeft = false;
    const load = async (): Promise<void> => {
      for (const call of calls) {
        await ask(call, page, version);
        if (isLeft) return;
        setOutcome({});
      }
    };
    setOutcome({});
    load().catch((thrown: unknown) => !isLeft && setOutcome({ of: asked, thrown }));
    return () => void (isLeft = true);
  }, [asked, version, tries, page.market.failure === undefined]); // what has failed with the market comes back with it
  const failed = outcome.of === asked ? { thrown: outcome.thrown, retry: () => setTries(tries + 1) } : undefined;
  return { answers: calls.map((call) => answerTo(call, page.key)), failed };
}
