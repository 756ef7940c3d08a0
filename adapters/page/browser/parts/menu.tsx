import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Entry } from "../data/market_entries.ts";
import { texts } from "../data/state.ts";
import { icon } from "./icons.tsx";
import { useLazy } from "./lazy_parts.tsx";

type MenuProps = Readonly<{ label: string; isIcon?: boolean; opened?(): void; children(): ComponentChildren }>;

/**
 * A button that opens a list of choices below it. The choices are rendered when the list is opened. If the button is
 * only an icon, screen readers get its label.
 */
export function Menu({ label, isIcon = false, opened, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  function onToggle({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }): void {
    setOpen(currentTarget.open);
    if (currentTarget.open) opened?.();
  }
  return (
    <details class="menu" onToggle={onToggle}>
      <summary class="row">
        {icon("share")} <span class={isIcon ? "visually-hidden" : undefined}>{label}</span>
      </summary>
      <div class="sheet">{isOpen && children()}</div>
    </details>
  );
}

/** The displayed prices, and their time in words. */
export interface ShownPrices {
  readonly entries: readonly Entry[];
  readonly when: string;
}

/** Copies and shares prices. */
export function MarketMenu(shown: ShownPrices) {
  const { Loaded, start } = useLazy(() => import("./market_menu.tsx").then(({ MarketMenuItems }) => MarketMenuItems));
  return (
    <Menu label={texts.value.share} isIcon opened={start}>
      {() => Loaded && <Loaded {...shown} />}
    </Menu>
  );
}
