// The key of the visitor: where it is kept, and the client that sends it.
import { createClient, quotaOf } from "../../client/mod.ts";
import type { Client, Quota } from "../../client/mod.ts";
import { readStored, writeStored } from "./storage.ts";
import type { Keep } from "./storage.ts";

/** A key and where it is kept. */
export interface KeptKey {
  readonly key: string | undefined;
  readonly keep: Keep;
}

/** Reads the key that was kept. */
export function readKey(): KeptKey {
  const found = (["tab", "device"] as const).map((keep) => ({ key: readStored("key", keep), keep }));
  for (const { key, keep } of found) if (typeof key === "string" && key !== "") return { key, keep };
  return { key: undefined, keep: "tab" };
}

/** Keeps a key in one place and in no other; without a key, everything is forgotten. */
export function keepKey({ key, keep }: KeptKey): void {
  for (const place of ["tab", "device"] as const) writeStored("key", place === keep ? key : undefined, place);
}

/** What calls the API with one key. */
export interface Access {
  /** An empty text where none is needed, since the market is public. */
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
    baseUrl: key === "" ? `${baseUrl}/docs` : baseUrl, // a public market has the API's routes once more there
    maxCandles: options.maxCandles,
    ...(key ? { key } : {}),
    async fetch(input, init) {
      const response = await fetch(input, init);
      noteQuota(response.headers);
      return response;
    },
  });
  return { key, client, noteQuota };
}
