import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { AssetCode } from "../../../core/branded_types.ts";

/** The folder of the archives: gzipped files with `code,value,businessTime`, each asset ascending by time. */
export const FOLDER = process.env["MAZANEH_TEST_DATA"];

export interface Prices {
  readonly times: readonly number[];
  readonly values: readonly number[];
}
export type Archive = ReadonlyMap<AssetCode, Prices>;
export const NOTHING: Prices = { times: [], values: [] };

export function readArchive(name: string): Archive {
  const archive = new Map<AssetCode, { times: number[]; values: number[] }>();
  for (const line of gunzipSync(readFileSync(join(FOLDER!, `${name}.csv.gz`)))
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .slice(1)) {
    const [code = "", value = "", time = ""] = line.split(",");
    const prices = archive.get(code as AssetCode) ?? { times: [], values: [] };
    archive.set(code as AssetCode, prices);
    prices.times.push(Date.parse(time));
    prices.values.push(Number(value));
  }
  return archive;
}
