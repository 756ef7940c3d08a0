// What stands in the place of prices: something missing, and the form for a key.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { docsAddress, documentationOf } from "../data/addresses.ts";
import { baseUrl, keep, language, texts as pageTexts, setKey, settings } from "../data/state.ts";
import { Segmented } from "./buttons.tsx";
import { Icon } from "./icons.tsx";

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
  const texts = pageTexts.value;
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

/** Opens the panel, and leads the focus into its field. */
export function openKeyPanel(): void {
  document.getElementById("key-panel")?.showPopover();
  document.getElementById("key-field")?.focus();
}

/** The link to where keys come from: the operator's documentation, or the guide, where they have named no other. */
export function KeyLink() {
  const inGuide = `${baseUrl}/${docsAddress("guide", language.value, { id: "keys" })}`;
  return (
    <a class="key-link" href={documentationOf(settings, baseUrl) ?? inGuide}>
      {pageTexts.value.howToGetKey}
    </a>
  );
}
