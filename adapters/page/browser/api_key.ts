// The key of the visitor: where it is kept, and the client that sends it.

import { createClient, type Quota, quotaOf } from "../../client/mod.ts";
import { type Keep, readStored, writeStored } from "./local_storage.ts";

const PLACES = ["tab", "device"] as const;

/** Reads the key that was kept, and where it is. */
export function readKey(): { readonly key: string | undefined; readonly keep: Keep } {
  for (const keep of PLACES) {
    const key = readStored("key", keep);
    if (typeof key === "string" && key !== "") return { key, keep };
  }
  return { key: undefined, keep: "tab" };
}

/** Keeps a key in one place and in no other; without a key, everything is forgotten. */
export function keepKey(key: string | undefined, keep: Keep): void {
  for (const place of PLACES) writeStored("key", place === keep ? key : undefined, place);
}

/** What calls the API with one key. */
export type Access = ReturnType<typeof accessWith>;

/** Makes it; the key is an empty text where none is needed, since the market is public. `onQuota` takes what each answer tells of the key. */
export function accessWith(
  key: string | undefined,
  baseUrl: string,
  { maxCandles, onQuota }: { readonly maxCandles: number; onQuota(quota: Quota): void },
) {
  async function fetchNoting(...call: Parameters<typeof fetch>): Promise<Response> {
    const response = await fetch(...call);
    const quota = quotaOf(response.headers);
    if (quota !== undefined) onQuota(quota);
    return response;
  }
  // A public market has the API's routes once more below the page.
  const client = createClient<string>({
    baseUrl: key === "" ? `${baseUrl}/docs` : baseUrl,
    maxCandles,
    ...(key && { key }),
    fetch: fetchNoting,
  });
  return { key, client, /** For what the client does not ask. */ fetch: fetchNoting };
}
