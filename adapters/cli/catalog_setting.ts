import { readFile } from "node:fs/promises";
import { ASSETS, type Asset, CATEGORIES, defineAsset } from "../../core/mod.ts";
import { messageOf, wrongSetting } from "./command_failure.ts";

const MAX_NAME_LENGTH = 100;
const MEMBERS = ["code", "category", "nameEn", "nameFa"] as const;
const SHAPE =
  '{"assets": {"add": [{"code": "ZZZ_USD", "category": "FX", "nameEn": "…", "nameFa": "…"}], "drop": ["PEPE_USD"]}}';

/**
 * Reads the catalog: first the assets of the contract that the config file does not drop, then the assets that the file
 * adds, in the order of the file. An added asset with the code of an asset of the contract takes the place of that
 * asset. Throws a failure with exit code 78 that names the file, the entry and the reason.
 */
export async function catalogIn(path: string | undefined): Promise<readonly Asset[]> {
  if (path === undefined) return ASSETS;
  try {
    return catalogOf(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    // The parser's message is not shown: it quotes the file, which may contain a key by mistake.
    const reason = error instanceof SyntaxError ? "it is no JSON" : messageOf(error);
    throw wrongSetting(`Cannot use the config file "${path}": ${reason}; check --config and MAZANEH_CONFIG`);
  }
}

/** Throws a `RangeError` for a file that does not describe a catalog. */
function catalogOf(file: unknown): readonly Asset[] {
  const { assets = {} } = membersOf(file, "the file", ["assets"]);
  const { add = [], drop = [] } = membersOf(assets, "assets", ["add", "drop"]);
  if (!Array.isArray(add) || !Array.isArray(drop))
    throw new RangeError(`assets.add and assets.drop must be lists, as in ${SHAPE}`);
  const known = new Set<unknown>(ASSETS.map(({ code }) => code));
  const foreign = drop.find((code) => !known.has(code));
  if (foreign !== undefined)
    throw new RangeError(`assets.drop may only list codes of the contract: received ${show(foreign)}`);
  const added = new Map<string, Asset>();
  for (const [at, entry] of add.entries()) {
    const asset = assetOf(entry, `assets.add[${at}]`);
    if (added.has(asset.code) || drop.includes(asset.code))
      throw new RangeError(`assets.add[${at}]: assets.add and assets.drop may list "${asset.code}" only once`);
    added.set(asset.code, asset);
  }
  const kept = ASSETS.filter(({ code }) => !drop.includes(code)).map((asset) => added.get(asset.code) ?? asset);
  const catalog = [...kept, ...[...added.values()].filter(({ code }) => !known.has(code))];
  if (catalog.length === 0) throw new RangeError("assets drops every asset");
  return catalog;
}

/** Returns `value` as an object with these members. Throws a `RangeError` for any other value. */
function membersOf<Name extends string>(
  value: unknown,
  place: string,
  names: readonly Name[],
): { readonly [Member in Name]?: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new RangeError(`${place} must be an object, as in ${SHAPE}: received ${show(value)}`);
  const unknown = Object.keys(value).find((name) => !names.some((known) => known === name));
  if (unknown !== undefined)
    throw new RangeError(`${place} has an unknown member "${unknown}": known are ${names.join(", ")}`);
  return value;
}

function assetOf(entry: unknown, place: string): Asset {
  const members = membersOf(entry, place, MEMBERS);
  const [code, given, nameEn, nameFa] = MEMBERS.map((name) => {
    const value = members[name];
    if (typeof value === "string" && value.length <= MAX_NAME_LENGTH && /^(?=.*\S)[^\p{Cc}/]+$/u.test(value))
      return value.trim();
    throw new RangeError(
      `${place} needs ${name}, a text of 1 to ${MAX_NAME_LENGTH} characters without "/": received ${show(value)}`,
    );
  }) as [string, string, string, string];
  const category = CATEGORIES.find((name) => name === given);
  if (!category)
    throw new RangeError(
      `${place} has a category that is not one of ${CATEGORIES.join(", ")}: received ${show(given)}`,
    );
  // Values are never converted. A code such as `X_EUR` names a unit, but its values would be served as rial.
  if (code.includes("_") && !/_(?:RLS|USD)$/.test(code) && !ASSETS.some((other) => other.code === code)) {
    throw new RangeError(
      `${place} adds "${code}", but a code with "_" must end in _RLS or _USD; for prices in toman, end it in _RLS and import with --unit toman`,
    );
  }
  return defineAsset({ code, category, nameEn, nameFa });
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
