import { computed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { createClient } from "../../../client/mod.ts";
import { answerTo, ask, type Call } from "../data/answers.ts";
import { access, baseUrl, key, market, rows, settings } from "../data/state.ts";

/** Calls the API with the key. A public market also serves the API's routes below the page. */
const caller = computed(() => {
  const { key, fetch } = access.value;
  const below = settings.isPublic ? `${baseUrl}/docs` : baseUrl;
  const { maxCandles } = settings;
  const client = createClient<string>({ baseUrl: below, maxCandles, fetch, ...(key && { key }) });
  return { key, client };
});

/** Requests the answers one after the other, again for each version of the assets' records. After a failure, `retry` requests the missing ones. */
export function useAnswers<Item>(calls: readonly Call<Item>[]) {
  const [tries, setTries] = useState(0);
  const [failure, setFailure] = useState<{ readonly of: string; readonly thrown: unknown }>();
  const versionOf = ({ code }: Call<Item>): string => rows.value.get(code)?.version ?? "";
  const asked = JSON.stringify([key.value, ...calls.map((call) => [call.target, versionOf(call)])]);

  useEffect(() => {
    let isLeft = false;
    const load = async (): Promise<void> => {
      for (const call of calls) {
        await ask(call, caller.value, versionOf(call));
        if (isLeft) return;
      }
    };
    const take = (failed: typeof failure): void => void (isLeft || setFailure(failed)); // until then, the previous failure stays
    load().then(
      () => take(undefined),
      (thrown: unknown) => take({ of: asked, thrown }),
    );
    return () => void (isLeft = true);
  }, [asked, tries, market.value.failure === undefined]); // if both failed, the call is retried after the market
  const failed =
    failure?.of === asked ? { thrown: failure.thrown, retry: () => setTries((before) => before + 1) } : undefined;
  return { answers: calls.map((call) => answerTo(call, key.value)), failed };
}
