import type { Asset } from "../market/assets.ts";
import { failure, quote } from "../http/errors.ts";
import type { Failure } from "../http/errors.ts";
import type { Reading } from "./query_settings.ts";
import { err, ok } from "../result.ts";
import type { Result } from "../result.ts";

/** The asset of a code in the path, or the failure that names the way to the right one. */
export function findAsset(reading: Reading, text: string): Result<Asset, Failure> {
  const asset = reading.assets.get(text);
  return asset ? ok(asset) : err(failure("ASSET_NOT_FOUND", unknownCode(reading, text)));
}

/** What to say of a code that is not in the catalog; one in another case is told the right spelling. */
export function unknownCode(reading: Reading, text: string): string {
  const known = reading.assets.get(text.trim().toUpperCase());
  if (known) return `There is no asset ${quote(text)}; codes are in upper case: ${known.code}`;
  return `There is no asset ${quote(text)}; GET /api/v1/assets/supported lists all codes`;
}
