// What stands in the place of prices: a failure, something missing, and the form for a key.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { docsAddress, documentationOf } from "../data/addresses.ts";
import { explain, failureOf } from "../data/failures.ts";
import * as state from "../data/state.ts";
import { fill } from "../texts/fill.ts";
import { Segmented } from "./buttons.tsx";
import { Icon } from "./icons.tsx";

interface FailureProps {
  readonly thrown: unknown;
  /** What did not come, for a title that says more than the failure, and what is there all the same. */
  readonly missing?: string;
  readonly still?: string;
  /** Called by the button "Try again", and when a lost connection is back; without it there is no button. */
  retry?(): void;
}

/** Explains what a call has thrown, and what to do next. While the whole page is offline, its own line says so. */
export function FailureBox({ thrown, missing, still = "", retry }: FailureProps) {
  const texts = state.texts.value;
  const failure = failureOf(thrown);
  const { status, code, message, requestId } = failure;
  const { title, text, wantsKey } = explain(failure, state.language.value, state.format.value);
  const isOfPlace = missing !== undefined && !wantsKey;
  useEffect(() => {
    if (status || retry === undefined) return;
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  });
  if (state.isOffline.value && !status && code === undefined) return null;
  return (
    <section class="missing failure" role="status">
      <span class="missing-icon">
        <Icon name={wantsKey ? "key" : "warning"} />
      </span>
      <div>
        <strong>{isOfPlace ? missing : title}</strong>
        <p class="small">{isOfPlace ? `${title}. ${still}` : text}</p>
        <UnitsBar />
        <div class="acts">
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
          <details class="small failure-answer">
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

/** The units of the key that are used, as a bar; a public market has none. */
function UnitsBar() {
  if (state.quota.value === undefined) return null;
  const { remaining, limit = remaining } = state.quota.value;
  const { number } = state.format.value;
  const used = limit - remaining;
  return (
    <p class={remaining === 0 ? "small row units-bar used-up" : "small row units-bar"}>
      <span aria-hidden="true">
        <i style={{ inlineSize: `${(100 * used) / Math.max(limit, 1)}%` }} />
      </span>
      {fill(state.texts.value.usedUnits, { count: number(used), limit: number(limit) })}
    </p>
  );
}

/** Says that the server cannot be reached, and whose prices these are. */
export function OfflineNotice() {
  const { summary } = state.market.value;
  if (!state.isOffline.value || summary === undefined) return null;
  return (
    <p class="notice offline" role="status">
      <span class="dot off" /> {fill(state.texts.value.offline, { time: state.format.value.time(summary.updatedAt) })}{" "}
      <span class="small">{state.texts.value.offlineNext}</span>
    </p>
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
        <p class="small">{text}</p>
        {children}
      </div>
    </section>
  );
}

/** Stands where prices will be once there is a key: what it is for, where it comes from, and its field. */
export function AskForKey({ id }: { readonly id: string }) {
  const texts = state.texts.value;
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

/** Pasted keys bring blanks, quotes and marks of direction along. */
const AROUND = /^[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+|[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+$/g;

/** The field for a key, and where it is kept. */
export function KeyForm({ id }: { readonly id: string }) {
  const texts = state.texts.value;
  const field = useRef<HTMLInputElement>(null);
  const [chosen, choose] = useState(state.keep.value);
  const [isWrong, setWrong] = useState(false);

  function use(event: Event): void {
    event.preventDefault();
    const key = field.current!.value.replace(AROUND, "");
    const isKey = /^[\x21-\x7e]+$/.test(key);
    setWrong(!isKey && key !== "");
    if (!isKey) {
      field.current!.focus();
      return;
    }
    field.current!.value = "";
    document.getElementById("key-panel")?.hidePopover();
    state.setKey(key, chosen);
  }

  return (
    <form class="key-form" onSubmit={use}>
      <label for={`${id}-field`}>{texts.keyField}</label>
      <span class="row key-line">
        <input
          id={`${id}-field`}
          ref={field}
          type="password"
          autocomplete="off"
          spellcheck={false}
          dir="ltr"
          placeholder="mz_live_…"
          aria-describedby={`${id}-promise`}
          aria-invalid={isWrong}
        />
        <button id={`${id}-use`} type="submit" class="primary">
          {texts.use}
        </button>
      </span>
      {isWrong && (
        <p class="problem" role="alert">
          {texts.notAKey}
        </p>
      )}
      <Segmented
        name={`${id}-keep`}
        label={texts.keep}
        isLabelled
        options={texts.keeps}
        chosen={chosen}
        choose={(where) => choose(where)}
      />
      <p id={`${id}-promise`} class="small">
        {texts.keyPromise}
      </p>
    </form>
  );
}

/** Opens the panel, and leads the focus into its field. */
export function openKeyPanel(): void {
  document.getElementById("key-panel")?.showPopover();
  document.getElementById("key-field")?.focus();
}

/** The link to where keys come from: the operator's documentation, or the guide, where they have named no other. */
export function KeyLink() {
  const inGuide = `${state.baseUrl}/${docsAddress("guide", state.language.value, { id: "keys" })}`;
  return (
    <a class="key-link" href={documentationOf(state.settings, state.baseUrl) ?? inGuide}>
      {state.texts.value.howToGetKey}
    </a>
  );
}
