import { shownAddress } from "../data/addresses.ts";
import { serviceName } from "../data/format.ts";
import { boardOf } from "../data/market_entries.ts";
import { messageText, tableText } from "../data/market_text.ts";
import * as state from "../data/state.ts";
import { TEXTS } from "../texts/built_market_menu.ts";
import { CopyButton } from "./buttons.tsx";
import type { ShownPrices } from "./menu.tsx";
import { ShareButton } from "./share.tsx";

/** If there are more prices than this, a message has only the board's prices, so that it fits on one screen. */
const MOST_IN_MESSAGE = 40;

/** Copies prices as a table or as text, and shares them through the system's share sheet. */
export function MarketMenuItems({ entries, when }: ShownPrices) {
  const { sample, sampleMark, market, columns, share } = state.texts.value;
  const { table, text, unit } = TEXTS[state.language.value];
  const { isSample, assets, application } = state.settings;
  const priced = new Map(entries.map((entry) => [entry.asset.code, entry]));
  const few = entries.length > MOST_IN_MESSAGE ? boardOf(assets, priced).map(({ code }) => priced.get(code)!) : entries;
  const title = `${serviceName(application, state.language.value)}, ${when}${isSample ? `. ${sample}` : ""}`;
  const heads = ["code", columns.name, columns.price, unit, "%", "UTC", ...(isSample ? [sampleMark] : [])];
  const message = messageText(few, title, state.format.value);
  const url = state.baseUrl + shownAddress(state.place.value, location.hash);
  return (
    <>
      <CopyButton text={tableText(entries, heads, state.format.value)} subject={table}>
        {table}
      </CopyButton>
      <CopyButton text={`${message}\n${url}`} subject={text}>
        {text}
      </CopyButton>
      {"share" in navigator && <ShareButton title={market} text={message} url={url} label={share} />}
    </>
  );
}
