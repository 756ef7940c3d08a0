// Views that draw elements by themselves, until they are components.
import { useLayoutEffect, useRef } from "preact/hooks";
import { usePage } from "./context.ts";
import type { PageContext as Context } from "./context.ts";
import { replaceContent } from "./dom.ts";

/** What such a view gets. */
export interface PageContext extends Omit<Context, "market"> {
  readonly market: string;
  /** Aborted when the view is left or drawn anew. */
  readonly signal: AbortSignal;
}

/** Draws a view at once, with its own loading and error states. */
export type View = (context: PageContext) => HTMLElement;

/** Such a view as a component. */
export function Legacy({ view }: { readonly view: View }) {
  const page = usePage();
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const leave = new AbortController();
    replaceContent(box.current!, view({ ...page, market: page.marketAddress, signal: leave.signal }));
    return () => leave.abort();
  }, [view, page.place, page.preferences, page.key]);
  return <div ref={box} />;
}
