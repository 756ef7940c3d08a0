import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { explain, failureOf } from "../failures.ts";
import { KeyForm, KeyLink, openKeyPanel } from "../header/key_panel.tsx";
import { usePage } from "../page_context.ts";
import { Icon } from "./icon.tsx";

/** Explains what a call has thrown, and what to do next. `retry` is called by the button "Try again", and when a lost connection is back; without it there is none. */
export function FailureBox({ thrown, retry }: { readonly thrown: unknown; retry?(): void }) {
  const {
    preferences: { language },
    texts,
    format,
  } = usePage();
  const failure = failureOf(thrown);
  const { status, code, message, requestId } = failure;
  const { title, text, wantsKey } = explain(failure, language, format);
  useEffect(() => {
    if (status || retry === undefined) return;
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  });
  return (
    <div class="failure" role="alert">
      <strong>{title}</strong>
      <p>{text}</p>
      {status ? (
        <p class="failure-answer">
          <bdi dir="ltr" lang="en">{`${status} ${code ?? ""}: ${message}`}</bdi>
        </p>
      ) : (
        <details class="failure-answer">
          <summary>{texts.details}</summary>
          <bdi dir="ltr" lang="en">
            {message}
          </bdi>
        </details>
      )}
      {requestId !== undefined && (
        <p class="failure-answer">
          {texts.requestId} <code dir="ltr">{requestId}</code>
        </p>
      )}
      {(wantsKey || retry !== undefined) && (
        <p class="acts">
          {wantsKey && (
            <button type="button" class="primary" onClick={openKeyPanel}>
              {texts.enterKey}
            </button>
          )}
          {retry !== undefined && (
            <button type="button" onClick={() => retry()}>
              {texts.retry}
            </button>
          )}
          {wantsKey && <KeyLink />}
        </p>
      )}
    </div>
  );
}

type MissingProps = { readonly icon: Parameters<typeof Icon>[0]["name"] } & Readonly<
  Record<"title" | "text" | "children", ComponentChildren>
>;

/** What is missing, in the place where it will be, and what can be done about it. */
export function Missing({ icon, title, text, children }: MissingProps) {
  return (
    <section class="missing">
      <span class="missing-icon">
        <Icon name={icon} />
      </span>
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
        {children}
      </div>
    </section>
  );
}

/** Stands where prices will be once there is a key: what it is for, where it comes from, and its field. */
export function AskForKey({ id }: { readonly id: string }) {
  const { texts } = usePage();
  return (
    <Missing
      icon="lock"
      title={texts.askTitle}
      text={
        <>
          {texts.askText} <KeyLink />
        </>
      }
    >
      <KeyForm id={id} />
    </Missing>
  );
}
