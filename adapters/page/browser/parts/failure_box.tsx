// Boxes that say what went wrong and what to do next. This file is loaded after the first view.
import { useEffect, useRef, useState } from "preact/hooks";
import { explain } from "../data/explain_failure.ts";
import { failureOf } from "../data/failures.ts";
import { format, isOffline, key, language, loadMarket, market, now, quota } from "../data/state.ts";
import { TEXTS } from "../texts/built_failures.ts";
import { fill } from "../texts/fill.ts";
import { icon } from "./icons.tsx";
import { KeyLink, openKeyPanel } from "./problems.tsx";

type FailureProps = Readonly<{ thrown: unknown; missing?: string; still?: string; retry?(): void }>;

/**
 * Explains a failure, and what to do next. Shows nothing while the page is offline: the page's banner says so.
 *
 * @param props `missing` and `still` make the title more specific: what is missing, and what is still there. `retry` is
 * called by the button "Try again", after a pause, and when the connection is back. Default: no button.
 */
export function FailureBox({ thrown, missing, still = "", retry }: FailureProps) {
  const texts = TEXTS[language.value];
  const failure = failureOf(thrown);
  const { status, code, message, requestId } = failure;
  const around = { language: language.value, format: format.value, limit: quota.value?.limit };
  // Does not follow the clock, because screen readers read the text once, not each minute.
  const { title, text, wantsKey, mayPass } = explain(failure, { ...around, now: now.peek() });
  const isOfPlace = missing !== undefined && !wantsKey;
  const isOfPage = isOffline.value && !status && code === undefined;
  const next = useNextTry(thrown, mayPass && !isOfPage ? retry : undefined);
  if (isOfPage) return null;
  return (
    <section class="missing failure" role="status">
      <span class="missing-icon">{icon(wantsKey ? "key" : "warning")}</span>
      <div>
        <strong>{isOfPlace ? missing : title}</strong>
        <p>{isOfPlace ? `${title}. ${still}` : text}</p>
        <UnitsBar />
        <div class="acts">
          {wantsKey && (
            <button class="primary" onClick={openKeyPanel}>
              {key.value ? texts.anotherKey : texts.enterKey}
            </button>
          )}
          {retry !== undefined && <button onClick={() => next.tryNow(retry)}>{texts.retry}</button>}
          <NextTry {...next} />
          {wantsKey && <KeyLink />}
          <details class="failure-answer">
            <summary>{texts.details}</summary>
            <bdi dir="ltr" lang="en">
              {status ? `${status} ${code ?? ""}: ` : ""}
              {message}
            </bdi>{" "}
            {requestId !== undefined && [texts.requestId, " ", <code dir="ltr">{requestId}</code>]}
          </details>
        </div>
      </div>
    </section>
  );
}

/** The seconds before the first retry, and the longest wait. Each wait is twice as long as the previous wait. */
const [FIRST_WAIT, LONGEST_WAIT] = [8, 60];

/** Counts down to the next retry while the tab is visible. Retries at once when the connection is back. */
function useNextTry(failure: unknown, retry: (() => void) | undefined) {
  const wait = useRef(FIRST_WAIT);
  const [left, setLeft] = useState(FIRST_WAIT);
  useEffect(() => {
    if (retry === undefined) return;
    setLeft(wait.current);
    wait.current = Math.min(2 * wait.current, LONGEST_WAIT);
    const timer = setInterval(() => document.hidden || setLeft((before) => before - 1), 1_000);
    addEventListener("online", retry);
    return () => {
      clearInterval(timer);
      removeEventListener("online", retry);
    };
  }, [failure, retry === undefined]);
  useEffect(() => void (left === 0 && retry?.()), [left]);
  function tryNow(ask: () => void): void {
    wait.current = FIRST_WAIT;
    setLeft(FIRST_WAIT);
    ask();
  }
  return { left: retry && left, tryNow };
}

/** Hidden from screen readers, because the text changes every second. */
function NextTry({ left = 0 }: { readonly left: number | undefined }) {
  if (left <= 0) return null;
  return (
    <span class="small" aria-hidden="true">
      {fill(TEXTS[language.value].nextTry, { seconds: format.value.number(left) })}
    </span>
  );
}

/** Shows the key's used units as a bar. On a public market, it shows nothing. */
function UnitsBar() {
  if (quota.value === undefined) return null;
  const { remaining, limit = remaining } = quota.value;
  const { number } = format.value;
  const used = limit - remaining;
  return (
    <p class={remaining === 0 ? "units-bar used-up small" : "units-bar small"}>
      <span aria-hidden="true">
        <i style={{ inlineSize: `${(100 * used) / Math.max(limit, 1)}%` }} />
      </span>
      {fill(TEXTS[language.value].usedUnits, { count: number(used), limit: number(limit) })}
    </p>
  );
}

/** Says that the server cannot be reached, and from what time the displayed prices are. */
export function OfflineNotice() {
  const { summary, failure, failedAt } = market.value;
  const { time } = format.value;
  const next = useNextTry(failure, isOffline.value ? loadMarket : undefined);
  if (!isOffline.value || summary === undefined) return null;
  const times = { since: time(failedAt), time: time(summary.updatedAt) };
  return (
    <p class="notice offline" role="status">
      <span class="dot off" /> {fill(TEXTS[language.value].offline, times)} <NextTry {...next} />
    </p>
  );
}
