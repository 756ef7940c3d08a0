// The types of the client, checked by the compiler: the types of createPrices, and the additions for HTTP.

import {
  type AccountAccess,
  type Client,
  createClient,
  type PriceError,
  type Quota,
  type QuotaExceeded,
  type ServiceStatus,
} from "../../adapters/client/mod.ts";
import type { AssetCode, AssetValue, PriceError as CorePriceError, PriceCalls, PriceCandle } from "../../core/mod.ts";
import { is, same } from "./same.ts";

declare const interval: string;
const { signal } = new AbortController();

const client = createClient({ baseUrl: "https://prices.example", key: undefined });
same<typeof client, Client<AssetCode>>();
// Code for createPrices also works with a client.
is<PriceCalls>(client);
same<Awaited<ReturnType<typeof client.latest>>, AssetValue>();
same<Awaited<ReturnType<typeof client.status>>, ServiceStatus>();
same<Awaited<ReturnType<typeof client.access>>, AccountAccess>();
same<typeof client.quota, Quota | undefined>();
same<ReturnType<typeof client.eachRecord>, AsyncGenerator<AssetValue, void, undefined>>();
same<ReturnType<typeof client.eachCandle>, AsyncGenerator<PriceCandle, void, undefined>>();

void client.latestOf(undefined, { signal });
void client.catalog({ category: "FX" }, { signal });
void client.history("USD_RLS", "2025-01-01", "2026-01-01", {
  signal,
  onProgress: ({ fraction, count }) => is<number>(fraction + count),
});
// @ts-expect-error There is no such code.
void client.latest("USD_RLX");
// @ts-expect-error The signal must be a member of the options.
void client.latest("USD_RLS", signal);
// @ts-expect-error A single request has no progress.
void client.latest("USD_RLS", { onProgress: () => undefined });
// @ts-expect-error A plain text is not an interval.
void client.eachCandle("USD_RLS", { interval, from: new Date(0), to: new Date(1) });
// @ts-expect-error A server is required.
createClient({ key: "k" });

const own = createClient<"ZZZ_USD">({ baseUrl: new URL("https://prices.example"), fetch, retries: 0 });
same<Awaited<ReturnType<typeof own.latest>>["code"], "ZZZ_USD">();

same<typeof PriceError, typeof CorePriceError>();
same<QuotaExceeded["resetsAt"], Date>();
is<(error: QuotaExceeded) => PriceError>((error) => error);
