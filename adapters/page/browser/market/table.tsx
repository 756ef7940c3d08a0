import { usePage } from "../context.ts";
import { marketAddress, sortedBy } from "./entries.ts";
import type { Column, Entry, Group, MarketChoice } from "./entries.ts";
import { MarketRow } from "./row.tsx";

/** What the table is drawn from. */
export interface TableProps {
  readonly groups: readonly Group[];
  /** The rows without groups, where they are sorted. */
  readonly sorted: readonly Entry[] | undefined;
  readonly choice: MarketChoice;
  /** Whether prices are on their way: then bars stand where they will be. */
  readonly isAwaited: boolean;
}

/** The table of prices. */
export function MarketTable({ groups, sorted, choice, isAwaited }: TableProps) {
  const { market, texts } = usePage();
  const drawRow = (entry: Entry) => <MarketRow key={entry.asset.code} entry={entry} isAwaited={isAwaited} />;
  const head = (column: Column) => (
    <th scope="col" role="columnheader" class={column === "name" ? "asset" : column} aria-sort={choice.column === column ? choice.order : undefined}>
      <button id={`sort-${column}`} type="button" onClick={() => (location.hash = marketAddress(sortedBy(choice, column)))}>{texts.columns[column]}</button>
    </th>
  );
  return (
    <table class={market.summary === undefined ? "market without-prices" : "market"} role="table" aria-label={texts.table} aria-busy={market.isLoading}>
      <thead role="rowgroup">
        <tr role="row">
          <td role="cell" class="star" />
          {head("name")}
          <td role="cell" class="ticker" />
          {head("price")}
          {head("change")}
          <td role="cell" class="difference" />
          <th scope="col" role="columnheader" class="range">{texts.range}</th>
          <th scope="col" role="columnheader" class="month">{texts.month}</th>
          {head("age")}
        </tr>
      </thead>
      {sorted === undefined
        ? groups.map((group) => (
          <tbody key={group.name} role="rowgroup">
            <tr role="row" class="group"><th role="rowheader" colSpan={9} scope="rowgroup"><GroupLine group={group} /></th></tr>
            {group.entries.map(drawRow)}
          </tbody>
        ))
        : <tbody role="rowgroup">{sorted.map(drawRow)}</tbody>}
    </table>
  );
}

/** The name of a group, and what its rows need not repeat: their unit. */
function GroupLine({ group: { name, entries } }: { readonly group: Group }) {
  const { preferences: { language }, format, texts } = usePage();
  const units = [...new Set(entries.map(({ unit }) => format.unitName(unit)))].join(language === "fa" ? "، " : ", ");
  return <><strong>{texts.groups[name]}</strong> <span class="small">{name === "WATCH" ? texts.watchNote : `${units} · ${format.number(entries.length)}`}</span></>;
}
