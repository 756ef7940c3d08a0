import { h } from "../dom.ts";
import type { Child } from "../dom.ts";

/** A button that opens a small panel below it. Escape and a click elsewhere close it. */
export function panel(id: string, summary: readonly Child[], ...content: Child[]): HTMLDetailsElement {
  return h(
    "details", { id, class: "panel", onkeydown: closeOnEscape, onfocusout: closeOnLeave },
    h("summary", { id: `${id}-summary` }, ...summary),
    h("div", { class: "panel-body" }, ...content),
  );
}

/** Closes the open panels that the click was not in. Called once for the document. */
export function closePanelsOnClickOutside(): void {
  document.addEventListener("pointerdown", ({ target }) => {
    for (const open of document.querySelectorAll<HTMLDetailsElement>("details.panel[open]")) {
      if (!(target instanceof Node && open.contains(target))) open.open = false;
    }
  });
}

function closeOnEscape(event: Event): void {
  if (!(event instanceof KeyboardEvent) || event.key !== "Escape") return;
  const { currentTarget } = event;
  if (!(currentTarget instanceof HTMLDetailsElement) || !currentTarget.open) return;
  currentTarget.open = false;
  currentTarget.querySelector("summary")?.focus();
}

/** The tab key leads on to the rest of the page, which an open panel would cover. */
function closeOnLeave(event: Event): void {
  if (!(event instanceof FocusEvent)) return;
  const { currentTarget, relatedTarget } = event;
  if (currentTarget instanceof HTMLDetailsElement && relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) currentTarget.open = false;
}
