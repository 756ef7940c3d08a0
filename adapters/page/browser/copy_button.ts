import type { PageContext } from "./legacy.tsx";
import { h } from "./dom.ts";
import { messagesOf } from "./messages.ts";
import type { MessageTable } from "./messages.ts";

const TEXTS: MessageTable<{ readonly copy: string; readonly copied: string; readonly failed: string }> = {
  en: { copy: "Copy", copied: "Copied", failed: "Select and copy by hand" },
  fa: { copy: "کپی", copied: "کپی شد", failed: "خودتان انتخاب و کپی کنید" },
};
const SHOWN_MS = 2_000;

/** How a copy button looks, and what it is called. */
interface CopyButton {
  /** Default: "Copy". */
  readonly label?: string;
  /** What is copied, for screen readers, where the label does not say it. */
  readonly subject?: string;
  /** Default: `copy`. */
  readonly class?: string;
}

/** A button that copies what `text` gives when it is pressed, and says whether it has. */
export function copyButton(
  text: () => string,
  { preferences, announce }: Pick<PageContext, "preferences" | "announce">,
  { label, subject, class: look = "copy" }: CopyButton = {},
): HTMLButtonElement {
  const { copy, copied, failed } = messagesOf(TEXTS, preferences.language);
  const usual = label ?? copy;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function press(): Promise<void> {
    const said = (await copyText(text())) ? copied : failed;
    button.textContent = said;
    announce(said);
    clearTimeout(timer);
    timer = setTimeout(() => (button.textContent = usual), SHOWN_MS);
  }

  const name = subject === undefined ? undefined : `${usual}: ${subject}`;
  const button = h("button", { type: "button", class: look, "aria-label": name, onclick: () => void press() }, usual);
  return button;
}

/** Browsers have the clipboard only on HTTPS and on this machine; elsewhere an older way still works. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = h("textarea", { readonly: true, class: "visually-hidden" });
    const focused = document.activeElement;
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    return done;
  }
}
