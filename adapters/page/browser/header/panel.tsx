import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** A button that opens a small panel below it. Escape, a click elsewhere and the way on with the tab key close it, as it covers the page. */
export function Panel({ id, summary, label, class: look = "", children }: {
  readonly id: string;
  readonly summary: ComponentChildren;
  /** For screen readers, where the summary has no words. */
  readonly label?: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  const panel = useRef<HTMLDetailsElement>(null);

  useEffect(() => {
    const close = ({ target }: Event): void => {
      if (target instanceof Node && !panel.current!.contains(target)) panel.current!.open = false;
    };
    document.addEventListener("pointerdown", close);
    return () => document.removeEventListener("pointerdown", close);
  }, []);

  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !panel.current!.open) return;
    panel.current!.open = false;
    panel.current!.querySelector("summary")!.focus();
  }

  function closeOnLeave({ relatedTarget }: FocusEvent): void {
    if (relatedTarget instanceof Node && !panel.current!.contains(relatedTarget)) panel.current!.open = false;
  }

  return (
    <details id={id} ref={panel} class={`panel ${look}`} onKeyDown={closeOnEscape} onFocusOut={closeOnLeave}>
      <summary id={`${id}-summary`} aria-label={label}>{summary}</summary>
      <div class="panel-body">{children}</div>
    </details>
  );
}
