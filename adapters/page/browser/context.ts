import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Client } from "../../client/mod.ts";
import type { PageSettings } from "../page_settings.ts";
import type { Format } from "./format.ts";
import type { KnownMarket, MarketState } from "./market/known.ts";
import type { Place } from "./places.ts";
import type { Preferences } from "./preferences.ts";
import type { Keep } from "./storage.ts";

export type { Format } from "./format.ts";
export type { Place } from "./places.ts";
export type { Preferences } from "./preferences.ts";

/** What every part of the page knows, and by which functions it changes the page. */
export interface PageContext {
  readonly settings: PageSettings;
  readonly place: Place;
  readonly preferences: Preferences;
  readonly format: Format;
  /** Never in an address; in a storage only where the visitor says so. An empty text where none is needed, since the market is public. */
  readonly key: string | undefined;
  /** Calls the API with this key. What its answers tell of the quota is shown in the header by itself. */
  readonly client: Client<string>;
  /** For examples: origin and mount path, without a slash at the end. */
  readonly baseUrl: string;
  /** The address of the market as it was last seen, with its group and sorting: the way back to it. */
  readonly marketAddress: string;
  /** The one place of what is known of prices: its present state, and what changes it. */
  readonly market: MarketState;
  readonly known: KnownMarket;
  /** Milliseconds since 1970, moving on while the page is open. */
  readonly now: number;
  /** Whether the market is asked for anew each minute, and whether that is free. */
  readonly live: { readonly isOn: boolean; readonly isFree: boolean; set(isOn: boolean): void };
  /** Goes to an address, e.g. `#/asset/USD_RLS?interval=1h`. */
  go(address: string): void;
  /** The same without an entry in the history. */
  replace(address: string): void;
  /** Takes another key, and where it is kept; `undefined` forgets it. */
  setKey(key: string | undefined, keep?: Keep): void;
  /** The codes of the watch list, which is kept on the device. */
  readonly watched: ReadonlySet<string>;
  /** Watches a code, or no more. */
  watch(code: string): void;
  setPreferences(change: Partial<Preferences>): void;
  /** For calls that do not go through `client`: shows the units that are left. */
  noteQuota(headers: Headers): void;
  /** Says a sentence to screen readers, e.g. that something was loaded. */
  announce(text: string): void;
}

/** Holds the context of the page for its components. */
export const PageContextHolder = createContext<PageContext | undefined>(undefined);

/** The context of the page. */
export function usePage(): PageContext {
  const page = useContext(PageContextHolder);
  if (page === undefined) throw new Error("Cannot draw outside of the page");
  return page;
}
