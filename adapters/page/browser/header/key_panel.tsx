import { useRef, useState } from "preact/hooks";
import { docsAddress, documentationOf } from "../page_addresses.ts";
import { usePage } from "../page_context.ts";
import { Segmented } from "../ui/segmented.tsx";

/** Pasted keys bring blanks, quotes and marks of direction along. */
const AROUND = /^[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+|[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+$/g;

/** The field for a key, and where it is kept. */
export function KeyForm({ id }: { readonly id: string }) {
  const { texts, keep, setKey } = usePage();
  const field = useRef<HTMLInputElement>(null);
  const [chosen, choose] = useState(keep);
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
        choose={(next) => choose(next)}
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
  const { settings, baseUrl, preferences, texts } = usePage();
  return (
    <a
      class="key-link"
      href={
        documentationOf(settings, baseUrl) ?? `${baseUrl}/${docsAddress("guide", preferences.language, { id: "keys" })}`
      }
    >
      {texts.howToGetKey}
    </a>
  );
}
