import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { usePage } from "./context.ts";
import { FRAME } from "./header/messages.ts";
import { loadFile, loadStyle } from "./load_file.ts";
import { MarketView } from "./market/view.tsx";
import type { Place } from "./places.ts";
import { FailureBox } from "./ui/failure_box.tsx";

/** The market comes with the first load; each other view is a file of its own, loaded when it is first opened. */
const LOADED: Partial<Record<Place["view"], ComponentType>> = { market: MarketView };
const LOADERS = {
  asset: () => import("./asset/view.tsx"),
  coins: () => import("./coins/view.tsx"),
  convert: () => import("./convert/view.tsx"),
};

/** The view of a place, which is loaded if need be. A load that failed is tried anew. */
export function ViewAt({ place: { view } }: { readonly place: Place }) {
  const { preferences, announce } = usePage();
  const { Found, thrown, load } = useLoaded(view);
  const { loading } = FRAME[preferences.language];
  useEffect(() => {
    if (LOADED[view] === undefined) announce(loading);
  }, [view]);
  if (Found !== undefined) return <Found key={view} />;
  return thrown === undefined ? <p class="loading">{loading}</p> : <FailureBox thrown={thrown.error} retry={() => void load()} />;
}

function useLoaded(part: Place["view"]) {
  const [, redraw] = useState({});
  const [thrown, setThrown] = useState<{ readonly error: unknown }>();

  async function load(): Promise<void> {
    if (part === "market") return;
    setThrown(undefined);
    try {
      const [{ View }] = await loadFile(() => Promise.all<[Promise<{ readonly View: ComponentType }>, Promise<void>]>([LOADERS[part](), loadStyle()]));
      LOADED[part] = View;
      redraw({});
    } catch (error) {
      setThrown({ error });
    }
  }

  useEffect(() => {
    if (LOADED[part] === undefined) void load();
  }, [part]);
  return { Found: LOADED[part], thrown, load };
}
