import { h } from "../dom.ts";

/** What is said after a copy. */
interface CopyWords {
  readonly done: string;
  readonly failed: string;
  announce(text: string): void;
}

/** A button that copies a text, and says whether it did. */
export function copyButton(label: string, text: string, { done, failed, announce }: CopyWords): HTMLButtonElement {
  const button = h("button", { type: "button", class: "small", onclick: () => void copy() }, label);

  async function copy(): Promise<void> {
    const said = (await copyText(text)) ? done : failed;
    button.textContent = said;
    announce(said);
    setTimeout(() => (button.textContent = label), 2_000);
  }

  return button;
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text); // absent where the page came over plain HTTP from another machine
    return true;
  } catch {
    return copySelection(text);
  }
}

/** The old way, which works without HTTPS. */
function copySelection(text: string): boolean {
  const focused = document.activeElement;
  const field = h("textarea", { class: "visually-hidden", readonly: true }, text);
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
