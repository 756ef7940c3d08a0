import { usePage } from "../context.ts";
import { explain, failureOf } from "../failures.ts";
import { openKeyPanel } from "../header/key_panel.tsx";
import { KeyLink } from "./key_link.tsx";

const MESSAGES = {
  en: { requestId: "Request id:", enterKey: "Enter a key", retry: "Try again", details: "What the browser says" },
  fa: { requestId: "شناسهٔ درخواست:", enterKey: "وارد کردن کلید", retry: "تلاش دوباره", details: "پیام مرورگر" },
};

/** Explains what a call has thrown, and what to do next. `retry` is called by the button "Try again"; without it there is none. */
export function FailureBox({ thrown, retry }: { readonly thrown: unknown; retry?(): void }) {
  const { preferences: { language }, format } = usePage();
  const failure = failureOf(thrown);
  const texts = MESSAGES[language];
  const { title, text, wantsKey } = explain(failure, language, format);
  const answer = !failure.status ? failure.message : `${failure.status} ${failure.code ?? ""}: ${failure.message}`;
  const said = <bdi dir="ltr" lang="en">{answer}</bdi>;
  return (
    <div class="failure" role="alert">
      <strong>{title}</strong>
      <p>{text}</p>
      {!failure.status ? <details class="failure-answer"><summary>{texts.details}</summary>{said}</details> : <p class="failure-answer">{said}</p>}
      {failure.requestId !== undefined && <p class="failure-answer">{texts.requestId} <code dir="ltr">{failure.requestId}</code></p>}
      {(wantsKey || retry !== undefined) && (
        <p class="acts">
          {wantsKey && <button type="button" class="primary" onClick={openKeyPanel}>{texts.enterKey}</button>}
          {retry !== undefined && <button type="button" onClick={() => retry()}>{texts.retry}</button>}
          {wantsKey && <KeyLink />}
        </p>
      )}
    </div>
  );
}
