// The parts that are shown instead of prices: a note about what is missing, or the form for a key.
import type { ComponentChildren, JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { docsAddress, documentationOf } from "../data/addresses.ts";
import { baseUrl, keep, language, texts as pageTexts, setKey, settings } from "../data/state.ts";
import { Segmented } from "./buttons.tsx";
import { icon } from "./icons.tsx";

type MissingProps = Readonly<Record<"title" | "text" | "children", ComponentChildren> & { icon: JSX.Element }>;

/** A note in place of missing content, which says what is missing and what to do. */
export function Missing({ icon, title, text, children }: MissingProps) {
  return (
    <section class="missing">
      <span class="missing-icon">{icon}</span>
      <div>
        <h2>{title}</h2>
        <p>{text}</p>
        {children}
      </div>
    </section>
  );
}

/** Shown instead of prices until a key is entered: what the key is for, how to get it, and the field for the key. */
export function AskForKey({ id }: { readonly id: string }) {
  const texts = pageTexts.value;
  return (
    <Missing icon={icon("lock")} title={texts.askTitle} text={[texts.askText, " ", <KeyLink key="link" />]}>
      <KeyForm id={id} />
    </Missing>
  );
}

/** Pasted keys may contain spaces, quotes and direction marks. */
const AROUND = /^[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+|[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+$/g;

/** The field for a key, and the choice of where the key is stored. */
export function KeyForm({ id }: { readonly id: string }) {
  const texts = pageTexts.value;
  const field = useRef<HTMLInputElement>(null);
  const [chosen, choose] = useState(keep.value);
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
    setKey(key, chosen);
  }

  return (
    <form class="key-form" onSubmit={use}>
      <label for={`${id}-field`}>{texts.keyField}</label>
      <span class="key-line">
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

/** Opens the key's panel and focuses its field. */
export function openKeyPanel(): void {
  document.getElementById("key-panel")?.showPopover();
  document.getElementById("key-field")?.focus();
}

/** A link that explains how to get a key: to the operator's documentation or, if there is none, to the guide. */
export function KeyLink() {
  const inGuide = `${baseUrl}/${docsAddress("guide", language.value, { id: "keys" })}`;
  return (
    <a class="key-link" href={documentationOf(settings, baseUrl) ?? inGuide}>
      {pageTexts.value.howToGetKey}
    </a>
  );
}
