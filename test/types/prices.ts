// The types of the calls of createPrices, checked by the compiler.

import { nodeSystem } from "../../adapters/http/node/mod.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import {
  type AssetCode,
  type AssetValue,
  type CatalogEntry,
  type Category,
  createPrices,
  type ErrorCode,
  type Interval,
  type PriceCandle,
  PriceError,
  type Prices,
} from "../../core/mod.ts";
import { is, same } from "./same.ts";

declare const interval: string;

const store = createMemoryStore();
// Additional ports are accepted.
const prices = createPrices({ ...nodeSystem, ...store, staleThresholdMinutes: 30 });
same<typeof prices, Prices<AssetCode>>();
same<Awaited<ReturnType<typeof prices.latest>>, AssetValue>();
same<Pick<AssetValue, "value" | "businessTime">, { readonly value: number; readonly businessTime: string }>();
same<AssetValue["quoteUnit"], "RLS" | "USD">();
same<Category, "FX" | "CRYPTO" | "COIN" | "GOLD" | "METAL" | "INDEX">();
same<AssetValue<"USD_RLS">["slug"], "usd_rls">();

same<Awaited<ReturnType<typeof prices.latestOf>>, AssetValue[]>();
void prices.latestOf();
// @ts-expect-error There is no such code.
void prices.latestOf(["USD_RLS", "USD_RLX"]);
// @ts-expect-error latestOf takes a list.
void prices.latestOf("USD_RLS");

// @ts-expect-error A Date is a point in time, and its day depends on the zone.
void prices.on("USD_RLS", new Date(0));
// @ts-expect-error The date is missing.
void prices.on("USD_RLS");

same<Awaited<ReturnType<typeof prices.history>>, AssetValue[]>();
// @ts-expect-error A history needs two dates.
void prices.history("USD_RLS", "2026-11-01");

same<Awaited<ReturnType<typeof prices.candles>>, PriceCandle[]>();
same<Interval, "15m" | "1h" | "4h" | "1d">();
void prices.candles("USD_RLS", { interval: "1h", from: new Date(0), to: "2026-11-19T00:00:00Z" });
// @ts-expect-error There is no such interval.
void prices.candles("USD_RLS", { interval: "2h", from: new Date(0), to: new Date(1) });
// @ts-expect-error A plain text is not an interval.
void prices.candles("USD_RLS", { interval, from: new Date(0), to: new Date(1) });
// @ts-expect-error A plain number may be in seconds.
void prices.candles("USD_RLS", { interval: "1h", from: 0, to: 1 });

same<Awaited<ReturnType<typeof prices.catalog>>, CatalogEntry[]>();
same<CatalogEntry["latestValue"], number | null>();
void prices.catalog({ category: "GOLD", quoteUnit: undefined });
// @ts-expect-error There is no such category.
void prices.catalog({ category: "BOND" });
// @ts-expect-error Filters have names.
void prices.catalog({ unit: "RLS" });

// Values are read-only.
void prices.latest("USD_RLS").then((value) => {
  // @ts-expect-error Assigning would not change the store.
  value.value = 1;
});

// Assets of your own.
const own = createPrices<"ZZZ_USD" | "USD_RLS">({ ...nodeSystem, ...store });
void own.latest("ZZZ_USD");
same<Awaited<ReturnType<typeof own.latest>>["code"], "ZZZ_USD" | "USD_RLS">();
// @ts-expect-error The type argument does not list this code.
void own.latest("BTC_USD");
void createPrices<string>({ ...nodeSystem, ...store }).latest(interval);

// @ts-expect-error A clock is required.
createPrices({ observations: store.observations });
// @ts-expect-error Only the API has a quota.
createPrices({ ...nodeSystem, ...store, quotaTimeZone: "UTC" });

is<Error>(new PriceError({ code: "ASSET_NOT_FOUND", status: 404, message: "There is no record" }));
same<PriceError["code"], ErrorCode | (string & {})>();
// @ts-expect-error The status is required.
new PriceError({ code: "ASSET_NOT_FOUND", message: "There is no record" });
// @ts-expect-error There is no such error.
is<ErrorCode>("NO_SUCH_ERROR");
