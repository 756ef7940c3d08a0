import { computed } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { createClient } from "../../../client/mod.ts";
import { answerTo, ask, type Call } from "../data/answers.ts";
import { access, baseUrl, key, market, rows, settings } from "../data/state.ts";

/** The client for the API, and its key. On a public market, it uses the routes' copies below `/docs`. */
const caller = computed(() => {
  const { key, fetch } = access.value;
  const below = settings.isPublic ? `${baseUrl}/docs` : baseUrl;
  const { maxCandles } = settings;
  const client = createClient<string>({ baseUrl: below, maxCandles, fetch, ...(key && { key }) });
  return { key, client };
});

/** Requests the answers one by one, and again when an asset's records change. `retry` continues after a failure. */
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
    const take = (failed: typeof failure): void => void (isLeft || setFailure(failed)); // a failure stays until the next result
    load().then(
      () => take(undefined),
      (thrown: unknown) => take({ of: asked, thrown }),
    );
    return () => void (isLeft = true);
  }, [asked, tries, market.value.failure === undefined]); // also retries when the market loads again
  const failed =
    failure?.of === asked ? { thrown: failure.thrown, retry: () => setTries((before) => before + 1) } : undefined;
  return { answers: calls.map((call) => answerTo(call, key.value)), failed };
}
