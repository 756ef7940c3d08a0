import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { usePage } from "../context.ts";

const TEXTS = {
  en: { copy: "Copy", copied: "Copied", failed: "Select and copy by hand" },
  fa: { copy: "کپی", copied: "کپی شد", failed: "خودتان انتخاب و کپی کنید" },
};
const SHOWN_MS = 2_000;

/** How a copy button looks, and what it is called. */
export interface CopyButtonProps {
  /** Gives what is copied, when it is pressed. */
  text(): string;
  /** Default: "Copy". */
  readonly label?: ComponentChildren;
  /** What is copied, for screen readers, where the label does not say it. */
  readonly subject?: string;
  readonly class?: string;
}

/** A button that copies a text, and says whether it has. */
export function CopyButton({ text, label, subject, class: look }: CopyButtonProps) {
  const { preferences, announce } = usePage();
  const { copy, copied, failed } = TEXTS[preferences.language];
  const [said, say] = useState<string>();
  const timer = useRef(0);

  async function press(): Promise<void> {
    const outcome = (await copyText(text())) ? copied : failed;
    say(outcome);
    announce(outcome);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => say(undefined), SHOWN_MS);
  }

  const name = subject === undefined ? undefined : `${copy}: ${subject}`;
  return <button type="button" class={look ?? "quiet"} aria-label={name} onClick={() => void press()}>{said ?? label ?? copy}</button>;
}

/** Copies a text; whether it worked. Browsers have the clipboard only on HTTPS and on this machine; elsewhere an older way still works. */
async function copyText(text: string): Promise<boolean> {
  const copied = await navigator.clipboard?.writeText(text).then(() => true, () => false);
  if (copied) return true;
  const field = Object.assign(document.createElement("textarea"), { value: text, readOnly: true, className: "visually-hidden" });
  const focused = document.activeElement;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return done;
}
