import { type Group, type GroupName, type MarketChoice, marketAddress } from "../data/market_entries.ts";
import * as state from "../data/state.ts";

/** A button for each group, with the number of rows in the group. */
export function Chips({ groups, choice }: { readonly groups: readonly Group[]; readonly choice: MarketChoice }) {
  const texts = state.texts.value;
  const count = (wanted: string): number =>
    new Set(groups.flatMap(({ name, entries }) => (wanted === "" || wanted === name ? entries : []))).size;
  const show = (category: MarketChoice["category"]): void =>
    void (location.hash = marketAddress({ ...choice, category }));
  const names = new Set<GroupName | "">(["", "WATCH", ...groups.map(({ name }) => name)]);
  return (
    <div class="chips">
      {[...names].map((name) => (
        <button
          key={name}
          id={`group-${name || "ALL"}`}
          aria-pressed={choice.category === name}
          onClick={() => show(name)}
        >
          {name === "WATCH" && <span aria-hidden="true">★ </span>}
          {name === "" ? texts.all : texts.groups[name]}{" "}
          <bdi class="count">{state.format.value.number(count(name))}</bdi>
        </button>
      ))}
    </div>
  );
}
