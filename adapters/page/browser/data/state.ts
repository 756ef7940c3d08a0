// The state of the page, in signals. A component is redrawn when a signal that it reads changes.
import { computed, effect, type ReadonlySignal, signal, untracked } from "@preact/signals";
import type { CalendarDate } from "../../../../core/mod.ts";
import { type Quota, quotaOf } from "../../../client/quota.ts";
import type { PageSettings } from "../../page_settings.ts";
import { TEXTS } from "../texts/built_page.ts";
import { addressOf, placeOf } from "./addresses.ts";
import { keepKey, readKey, readStored, writeStored } from "./device.ts";
import { failureOf } from "./failures.ts";
import { createFormat, dayBefore, marketDayOf, nameOf } from "./format.ts";
import { createKnownMarket, fetchMarket } from "./market.ts";
import { type Choices, keepChoice, languageOf, preferencesOf, readChoices } from "./preferences.ts";

const MINUTE_MS = 60_000;

/** The settings from the HTML. A cast, because the server writes the settings from the same type. */
export const settings = JSON.parse(document.getElementById("settings")!.textContent!) as PageSettings;
/** Origin and mount path, without a slash at the end. */
export const baseUrl: string = new URL(document.body.dataset["root"]!, location.href).href.replace(/\/$/, "");

/** Whether the screen is wide enough for the market beside an asset. */
export const isWide = mediaSignal("(width >= 112.5rem)");
export const isTablet = mediaSignal("(width < 68.75rem)");
export const isNarrow = mediaSignal("(width < 40rem)");
export const isDark = mediaSignal("(prefers-color-scheme: dark)");

/** The time in milliseconds since 1970, updated every 15 seconds. */
export const now = signal(Date.now());

/** The market day of a time, `YYYY-MM-DD`. */
export const dayOf = marketDayOf(settings.marketTimeZone);
/** Today and yesterday: the market days by the page's clock. */
export const today = computed(() => dayOf(now.value));
export const yesterday = computed(() => dayBefore(today.value));

const choices = signal(readChoices());
export const preferences = computed(() => preferencesOf(choices.value, languageOf(navigator.languages)));
export const language = computed(() => preferences.value.language);
export const texts = computed(() => TEXTS[language.value]);
export const format = computed(() => createFormat(preferences.value, settings.marketTimeZone));

export const setPreferences = (change: Choices): void => void (choices.value = keepChoice(choices.value, change));

/** Returns the name of the asset that has this code. */
export function nameOfCode(code: string): string {
  return nameOf(settings.assets.find((asset) => asset.code === code)!, language.value);
}

/** What the address says. */
export const place = signal(placeOf(location.hash, location.pathname));

let lastMarketAddress = addressOf("market");
/** The last address of the market, with group and sorting. Links back to the market use this address. */
export const marketAddress = computed(() => {
  const { view, query } = place.value;
  if (view === "market") lastMarketAddress = addressOf("market", undefined, query);
  return lastMarketAddress;
});

/** Goes to another address without a history entry. */
export function replaceAddress(address: string): void {
  history.replaceState(history.state, "", address);
  dispatchEvent(new Event("popstate"));
}

const keptKey = signal(readKey());
const quotas = signal<ReadonlyMap<string | undefined, Quota>>(new Map());
/** Where the key is stored. */
export const keep = computed(() => keptKey.value.keep);
/** The key in use. Addresses never contain it. Empty if no key is needed because the market is public. */
export const key = computed(() => (settings.isPublic ? "" : (keptKey.value.key ?? settings.demoKey)));
/** The units of the key, as of the last answer. */
export const quota = computed(() => quotas.value.get(key.value));
/** Whether the visitor may load prices without spending units. Free prices are loaded every minute. */
export const isFree = computed(() => settings.isPublic || (key.value !== undefined && key.value === settings.demoKey));
/** The key, and a `fetch` that reads the remaining units from answers. */
export const access = computed(() => {
  const { value } = key;
  async function fetchNoting(...call: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(...call);
    const units = quotaOf(response.headers);
    if (units !== undefined) quotas.value = new Map(quotas.peek()).set(value, units);
    return response;
  }
  return { key: value, fetch: fetchNoting };
});

/** Replaces the key, and sets where it is stored; `undefined` forgets it. */
export function setKey(entered: string | undefined, where = keep.value): void {
  keptKey.value = { key: entered, keep: where };
  keepKey(entered, where);
}

/** The prices that the key may read. */
export const known = computed(() => {
  const { value } = access;
  return createKnownMarket(() => fetchMarket(value, `${baseUrl}/docs/market`), dayOf);
});
export const market = computed(() => known.value.state.value);
/** The latest record of each asset, by code. After midnight, each `day` is null until the market is reloaded. */
export const rows = computed(() => {
  const { rows, summary } = market.value;
  if (summary === undefined || summary.to === today.value) return rows;
  return new Map([...rows].map(([code, row]) => [code, { ...row, day: null }]));
});
/** Whether the server cannot be reached. The last prices stay visible. */
export const isOffline = computed(() => {
  const { summary, failure } = market.value;
  return summary !== undefined && failure !== undefined && !failureOf(failure).status;
});
/** Whether the first prices are loading. While they are loading, placeholder bars are shown. */
export const isAwaited = computed(
  () => key.value !== undefined && market.value.summary === undefined && market.value.failure === undefined,
);

export const loadMarket = (): void => void known.value.load();

/** The codes of the watch list, which is kept on the device. */
export const watched = signal(readWatched());

export function toggleWatched(code: string): void {
  const next = new Set(watched.value);
  if (!next.delete(code)) next.add(code);
  writeStored("watched", [...next]);
  watched.value = next;
}

/** The past day that an asset's view shows; `undefined` if it shows the current price. */
export const shownDay = signal<CalendarDate | undefined>(undefined);

/** The next message for screen readers, e.g. that something was loaded. */
export const announcement = signal("");
export const announce = (text: string): void => void (announcement.value = text);

/** Starts the clock. Loads the market for each new key and, if that is free, every minute while the tab is visible. */
export function keepCurrent(): void {
  let asked = 0;
  const ask = (): void => {
    asked = Date.now();
    loadMarket();
  };
  const askAgain = (): void => {
    if (isFree.value && !document.hidden && Date.now() - asked >= MINUTE_MS) ask();
  };
  effect(() => {
    if (key.value !== undefined) untracked(ask);
  });
  setInterval(askAgain, MINUTE_MS / 12);
  setInterval(() => (now.value = Date.now()), MINUTE_MS / 4);
  document.addEventListener("visibilitychange", askAgain);
  addEventListener("online", () => isFree.value && ask());
  addEventListener("storage", () => (watched.value = readWatched())); // another tab changed it
}

function readWatched(): ReadonlySet<string> {
  const stored = readStored("watched");
  return new Set(Array.isArray(stored) ? stored.filter((code) => typeof code === "string") : []);
}

function mediaSignal(query: string): ReadonlySignal<boolean> {
  const list = matchMedia(query);
  const matches = signal(list.matches);
  list.addEventListener("change", () => (matches.value = list.matches));
  return matches;
}
