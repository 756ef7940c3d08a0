import type { Client } from "../../client/mod.ts";
import type { PageSettings } from "../page_settings.ts";
import type { Format } from "./format.ts";
import type { Place } from "./places.ts";
import type { Preferences } from "./preferences.ts";

export type { Format } from "./format.ts";
export type { Place } from "./places.ts";
export type { Preferences } from "./preferences.ts";

/** What a view gets. A view changes the page only through these functions. */
export interface PageContext {
  readonly settings: PageSettings;
  readonly place: Place;
  readonly preferences: Preferences;
  readonly format: Format;
  /** In memory only: never in an address, never stored. */
  readonly key: string | undefined;
  /** Calls the API with this key. What its answers tell of the quota is shown in the header by itself. */
  readonly client: Client<string>;
  /** For examples: origin and mount path, without a slash at the end. */
  readonly baseUrl: string;
  /** The address of the market as it was last seen, with its search and filters: the way back to it. */
  readonly market: string;
  /** Aborted when the view is left or drawn anew. */
  readonly signal: AbortSignal;
  /** Goes to an address, e.g. `#/asset/USD_RLS?interval=1h`. */
  go(address: string): void;
  /** The same without an entry in the history. */
  replace(address: string): void;
  /** Changes the address to that of what is shown already, with an entry in the history or without. Draws nothing. */
  record(address: string, isStep: boolean): void;
  /** Takes another key; `undefined` returns to the demo key, where there is one. */
  setKey(key: string | undefined): void;
  setPreferences(change: Partial<Preferences>): void;
  /** For calls that do not go through `client`: shows the units that are left. */
  noteQuota(headers: Headers): void;
  /** Says a sentence to screen readers, e.g. that something was loaded. */
  announce(text: string): void;
}

/**
 * Draws a view at once, with its own loading and error states. It is called anew with each change of place,
 * preferences or key. Elements with an `id` keep focus, text and open state when they are drawn anew.
 */
export type View = (context: PageContext) => HTMLElement;
