import type { KnownAssetCode } from "./market/asset_names.ts";

declare const brand: unique symbol;

/** A `Base` that a parser of this package has checked. Only the parser can make a value of this type. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name };

/** An asset code: one of the contract's literals, such as `"USD_RLS"`, or one made by `defineAsset`. */
export type AssetCode = KnownAssetCode | Brand<string, "AssetCode">;

/** A real Gregorian day, `YYYY-MM-DD`. Made by `parseDate`. */
export type CalendarDate = Brand<string, "CalendarDate">;

/** Whole milliseconds since 1970-01-01T00:00:00Z. */
export type UtcMillis = Brand<number, "UtcMillis">;

/** The account to which a request is charged. */
export type AccountId = Brand<string, "AccountId">;

/** The public eight characters of an API key. Made by `parseKey`. */
export type KeyId = Brand<string, "KeyId">;
