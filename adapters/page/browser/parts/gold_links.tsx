import { addressOf } from "../data/addresses.ts";
import { place, texts } from "../data/state.ts";

/** Links to the two views of coins and gold, below the header. */
export function GoldLinks() {
  const { coins, coinTab, gold } = texts.value;
  const names = { coins: coinTab, gold };
  return (
    <nav class="gold-links" aria-label={coins}>
      {(["coins", "gold"] as const).map((view) => (
        <a key={view} href={addressOf(view)} aria-current={place.value.view === view ? "page" : undefined}>
          {names[view]}
        </a>
      ))}
    </nav>
  );
}
