import type { ComponentChildren } from "preact";

/** What a panel is drawn from. */
export interface PanelProps {
  readonly id: string;
  readonly summary: ComponentChildren;
  /** For screen readers, where the summary has no words. */
  readonly label: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A button that opens a small panel below the header. As a popover, the browser closes it by Escape and a click elsewhere, and gives the focus back. */
export function Panel({ id, summary, label, class: look = "", children }: PanelProps) {
  return (
    <>
      <button id={`${id}-summary`} type="button" class={`panel-button ${look}`} popovertarget={id} aria-label={label}>{summary}</button>
      <div id={id} class="panel" popover="auto" role="group" aria-label={label}>{children}</div>
    </>
  );
}
