import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { copyText } from "../copy_text.ts";

const SHOWN_MS = 2_000;

/** How a copy button looks, and what it copies. */
export interface CopyButtonProps {
  /** Gives what is copied, when it is pressed. */
  text(): string;
  readonly label: ComponentChildren;
  /** What is copied, for screen readers. */
  readonly subject: string;
  readonly class?: string;
}

/** A button that copies a text, and says whether it has. */
export function CopyButton({ text, label, subject, class: look = "quiet" }: CopyButtonProps) {
  const { texts, announce } = usePage();
  const [said, say] = useState<string>();
  const timer = useRef(0);

  async function press(): Promise<void> {
    const outcome = (await copyText(text())) ? texts.copied : texts.copyFailed;
    say(outcome);
    announce(outcome);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => say(undefined), SHOWN_MS);
  }
  return <button type="button" class={look} aria-label={`${texts.copy}: ${subject}`} onClick={() => void press()}>{said ?? label}</button>;
}
