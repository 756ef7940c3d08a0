import type { ComponentChildren } from "preact";

/** What a panel is drawn from. The label is for screen readers, as the summary may have no words. */
export type PanelProps = { readonly id: string; readonly class?: string; readonly label: string; readonly summary: ComponentChildren; readonly children: ComponentChildren };

/** A button that opens a small panel below the header. As a popover, the browser closes it by Escape and a click elsewhere, and gives the focus back. */
export function Panel({ id, summary, label, class: look = "", children }: PanelProps) {
  return (
    <>
      <button id={`${id}-summary`} type="button" class={`panel-button ${look}`} popovertarget={id} aria-label={label}>{summary}</button>
      <div id={id} class="panel" popover="auto" role="group" aria-label={label}>{children}</div>
    </>
  );
}
