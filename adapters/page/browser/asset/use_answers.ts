import { useEffect, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { answerTo, ask } from "./calls.ts";
import type { Call } from "./calls.ts";

/** Asks some calls one after the other, and draws anew with each answer. `retry` asks for what has not come. */
export function useAnswers<Item>(calls: readonly Call<Item>[], version = "") {
  const page = usePage();
  const [tries, setTries] = useState(0);
  const [thrown, setThrown] = useState<{ readonly error: unknown; readonly of: string }>();
  const [, redraw] = useState({});
  const asked = [page.key, ...calls.map(({ target }) => target)].join(" ");

  useEffect(() => {
    let isLeft = false;
    setThrown(undefined);
    const load = async (): Promise<void> => {
      for (const call of calls) {
        await ask(call, page, version);
        if (isLeft) return;
        redraw({});
      }
    };
    load().catch((error: unknown) => !isLeft && setThrown({ error, of: asked }));
    return () => {
      isLeft = true;
    };
  }, [asked, version, tries]);
  return { answers: calls.map((call) => answerTo(call, page.key)), thrown: thrown?.of === asked ? thrown : undefined, retry: () => setTries(tries + 1) };
}
