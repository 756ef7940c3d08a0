// The type of asset codes, checked by the compiler.

import {
  ASSETS,
  type AssetCode,
  defineAsset,
  type Ingest,
  type KnownAssetCode,
  type MarketRecord,
  type Observations,
  type Prices,
  type RawRecord,
} from "../../core/mod.ts";
import { is } from "./same.ts";

declare const observations: Observations;
declare const prices: Prices;
declare const ingest: Ingest<MarketRecord>;
declare const ingestUnknown: Ingest<RawRecord>;
declare const text: string;

// Codes of each table, including its first and last.
is<readonly KnownAssetCode[]>(["USD_RLS", "STOCK_IR", "GOLD_OUNCE_USD", "AFN_RLS", "RUB_RLS"]);
is<readonly KnownAssetCode[]>(["BTC_USD", "BTC_RLS", "ATOM_RLS", "M_USD", "USD1_RLS"]);
// @ts-expect-error Codes are in upper case.
is<KnownAssetCode>("usd_rls");
// @ts-expect-error Currencies are quoted in rial only.
is<KnownAssetCode>("AED_USD");
// @ts-expect-error The index has no quote suffix.
is<KnownAssetCode>("STOCK_IR_RLS");

// A literal is a code.
void observations.latest(["USD_RLS", "BTC_USD"]);
// @ts-expect-error There is no such code.
void observations.latest(["USD_RLX"]);
// @ts-expect-error A plain text is not a code.
void observations.version([text]);

is<readonly AssetCode[]>(ASSETS.map(({ code }) => code));
is<AssetCode>(defineAsset({ code: "ZZZ_USD", category: "FX", nameEn: "", nameFa: "" }).code);
// @ts-expect-error This code is neither in the contract nor defined by the caller.
is<AssetCode>("ZZZ_USD");

if (prices.isCode(text)) void prices.latest(text);
// @ts-expect-error A text from outside has to be checked first.
else void prices.latest(text);

void ingest([{ code: "USD_RLS", value: 1, businessTime: new Date() }], { refused: "throw" });
// @ts-expect-error There is no such code.
void ingest([{ code: "USD_RLX", value: 1, businessTime: new Date() }]);
// @ts-expect-error A record needs a time.
void ingest([{ code: "USD_RLS", value: 1 }]);
void ingestUnknown([{ code: text, value: text }, {}]);
