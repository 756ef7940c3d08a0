import { shownAddress } from "../data/addresses.ts";
import type { Entry } from "../data/market_entries.ts";
import { messageText, tableText } from "../data/market_text.ts";
import * as state from "../data/state.ts";
import { boardOf } from "../views/board.tsx";
import { CopyButton } from "./buttons.tsx";
import { serviceName } from "./frame.tsx";
import { Menu, ShareButton } from "./share.tsx";

/** Prices that are shown, for other programs: as a table, as a text, and for the system's sheet. `when` is their time. */
export function MarketMenu({ entries, when }: { readonly entries: readonly Entry[]; readonly when: string }) {
  const { sample, sampleMark, market, columns, share, asTable, asText, tableUnit, copyAs } = state.texts.value;
  const { settings } = state;
  return (
    <Menu label={copyAs} isIcon>
      {() => {
        const format = state.format.value;
        const priced = new Map(entries.map((entry) => [entry.asset.code, entry]));
        // All prices are more than a message may hold.
        const few =
          entries.length > 40 ? boardOf(settings.assets, priced).map(({ code }) => priced.get(code)!) : entries;
        const title = `${serviceName(settings.application, state.language.value)}, ${when}${settings.isSample ? `. ${sample}` : ""}`;
        const url = state.baseUrl + shownAddress(state.place.value, location.hash);
        const heads = ["code", columns.name, columns.price, tableUnit, "%", "UTC"];
        const table = tableText(entries, settings.isSample ? [...heads, sampleMark] : heads, format);
        const text = messageText(few, title, format);
        return (
          <>
            <CopyButton text={table} subject={asTable}>
              {asTable}
            </CopyButton>
            <CopyButton text={`${text}\n${url}`} subject={asText}>
              {asText}
            </CopyButton>
            {"share" in navigator && <ShareButton title={market} text={text} url={url} label={share} />}
          </>
        );
      }}
    </Menu>
  );
}
