import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { COPIED_MS, copyText } from "../copy_text.ts";
import { usePage } from "../page_context.ts";

/** A button that copies a text, and says whether it has. `subject` tells screen readers what is copied. */
export function CopyButton({
  text,
  label,
  subject,
}: {
  readonly text: string;
  readonly label: ComponentChildren;
  readonly subject: string;
}) {
  const { texts, announce } = usePage();
  const [said, say] = useState<string>();

  async function press(): Promise<void> {
    const outcome = (await copyText(text)) ? texts.copied : texts.copyFailed;
    say(outcome);
    announce(outcome);
    setTimeout(() => say(undefined), COPIED_MS);
  }
  return (
    <button type="button" class="quiet" aria-label={`${texts.copy}: ${subject}`} onClick={() => void press()}>
      {said ?? label}
    </button>
  );
}
