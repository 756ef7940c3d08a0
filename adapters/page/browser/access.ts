// The key of the visitor: where it is kept, and the client that sends it.
import { createClient, quotaOf } from "../../client/mod.ts";
import type { Client, Quota } from "../../client/mod.ts";
import type { TextStorage } from "./preferences.ts";

/** Where a key is kept until it is forgotten: in the tab, as long as that is open, or on the device. */
export type KeyKeep = "tab" | "device";

/** A key and where it is kept. */
export interface KeptKey {
  readonly key: string | undefined;
  readonly keep: KeyKeep;
}

/** The storages of a browser. Asking for one throws where it is forbidden. */
export type Storages = Readonly<Record<"tab" | "device", () => TextStorage & { removeItem(name: string): void }>>;

const STORED_AS = "mazaneh.key";

/** Reads the key that was kept. */
export function readKey(storages: Storages): KeptKey {
  for (const keep of ["tab", "device"] as const) {
    const key = attempt(() => storages[keep]().getItem(STORED_AS));
    if (key) return { key, keep };
  }
  return { key: undefined, keep: "tab" };
}

/** Keeps a key in one place and in no other; without a key, everything is forgotten. */
export function keepKey(storages: Storages, { key, keep }: KeptKey): void {
  for (const place of ["tab", "device"] as const) {
    attempt(() => (place === keep && key !== undefined ? storages[place]().setItem(STORED_AS, key) : storages[place]().removeItem(STORED_AS)));
  }
}

/** What calls the API with one key. */
export interface Access {
  readonly key: string | undefined;
  readonly client: Client<string>;
  /** Reads the units that are left from the header fields of an answer. */
  noteQuota(headers: Headers): void;
}

/** Makes the access with a key. `onQuota` takes what each answer tells of it. */
export function accessWith(key: string | undefined, baseUrl: string, options: { readonly maxCandles: number; onQuota(quota: Quota, key: string | undefined): void }): Access {
  function noteQuota(headers: Headers): void {
    const quota = quotaOf(headers);
    if (quota !== undefined) options.onQuota(quota, key);
  }
  const client = createClient<string>({
    baseUrl,
    maxCandles: options.maxCandles,
    ...(key === undefined ? {} : { key }),
    async fetch(input, init) {
      const response = await fetch(input, init);
      noteQuota(response.headers);
      return response;
    },
  });
  return { key, client, noteQuota };
}

/** What a use of a storage gives; `undefined` where it is forbidden or full. */
export function attempt<Value>(use: () => Value): Value | undefined {
  try {
    return use();
  } catch {
    return undefined; // what was to be kept lasts until the page is closed
  }
}
