import { ASSETS, CATEGORIES, defineAsset } from "../../core/mod.ts";
import type { Asset } from "../../core/mod.ts";
import { CommandFailure, EXIT } from "./failure.ts";

const MAX_NAME_LENGTH = 100;
const MEMBERS = ["code", "category", "nameEn", "nameFa"] as const;
const SHAPE = '{"add": [{"code": "NOK_USD", "category": "FX", "nameEn": "Norwegian Krone", "nameFa": "کرون نروژ"}], "drop": ["PEPE_USD"]}';

/**
 * Reads `assets` of a config file: what to add to the contract's assets, and the codes to drop. An asset that is added
 * under a code of the contract takes its place; others come last, in their order.
 *
 * @param path The file, for the failure's message.
 * @throws CommandFailure with exit code 78, which names the file, the entry and the reason.
 */
export function readCatalog(path: string, setting: unknown): readonly Asset[] {
  const { add, drop } = partsOf(path, setting);
  const added = add.map((entry, at) => readAsset(path, `assets.add[${at}]`, entry));
  const known = new Set<string>(ASSETS.map(({ code }) => code));
  const dropped = new Set<unknown>(drop);
  for (const [at, code] of drop.entries()) {
    if (!known.has(code as string)) throw wrong(path, `assets.drop[${at}]`, `must be a code of the contract: received ${show(code)}`);
  }
  for (const [at, { code }] of added.entries()) {
    const twice = added.findIndex((other) => other.code === code) < at;
    if (twice) throw wrong(path, `assets.add[${at}]`, `adds "${code}" a second time`);
    if (dropped.has(code)) throw wrong(path, `assets.add[${at}]`, `adds "${code}", which assets.drop drops`);
  }
  const own = new Map<string, Asset>(added.map((asset) => [asset.code, asset]));
  const kept = ASSETS.filter(({ code }) => !dropped.has(code)).map((asset) => own.get(asset.code) ?? asset);
  const catalog = [...kept, ...added.filter(({ code }) => !known.has(code))];
  if (catalog.length === 0) throw wrong(path, "assets", "drops every asset");
  return catalog;
}

function partsOf(path: string, setting: unknown): { readonly add: readonly unknown[]; readonly drop: readonly unknown[] } {
  if (!isObject(setting)) throw wrong(path, "assets", `must be such as ${SHAPE}: received ${show(setting)}`);
  for (const [name, list] of Object.entries(setting)) {
    if (name !== "add" && name !== "drop") throw wrong(path, `assets.${name}`, "is not known: known are add, drop");
    if (!Array.isArray(list)) throw wrong(path, `assets.${name}`, `must be a list: received ${show(list)}`);
  }
  const { add = [], drop = [] } = setting as { add?: unknown[]; drop?: unknown[] }; // checked above
  return { add, drop };
}

function readAsset(path: string, place: string, entry: unknown): Asset {
  if (!isObject(entry)) throw wrong(path, place, `must be an object with ${MEMBERS.join(", ")}: received ${show(entry)}`);
  const stranger = Object.keys(entry).find((name) => !MEMBERS.some((member) => member === name));
  if (stranger !== undefined) throw wrong(path, place, `has "${stranger}", which is not known: known are ${MEMBERS.join(", ")}`);
  const text = (name: (typeof MEMBERS)[number]): string => {
    const value = (entry as Record<string, unknown>)[name];
    if (typeof value !== "string" || value.trim() === "" || value.length > MAX_NAME_LENGTH || /[\p{Cc}/]/u.test(value)) {
      throw wrong(path, place, `needs ${name}, a text of 1 to ${MAX_NAME_LENGTH} characters without "/": received ${show(value)}`);
    }
    return value.trim();
  };
  const given = text("category");
  const category = CATEGORIES.find((name) => name === given);
  if (!category) throw wrong(path, place, `has a category that is not one of ${CATEGORIES.join(", ")}: received ${show(given)}`);
  let asset: Asset;
  try {
    asset = defineAsset({ code: text("code"), category, nameEn: text("nameEn"), nameFa: text("nameFa") });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw wrong(path, place, `is refused: ${error.message}`);
  }
  const { code } = asset;
  // Nothing converts values: those of a code that names another unit would be answered as rial.
  if (code.includes("_") && !/_(?:RLS|USD)$/.test(code) && !ASSETS.some((other) => other.code === code)) {
    const advice = "values are stored in rial or US dollars; for prices in toman, end it in _RLS and import with --unit toman";
    throw wrong(path, place, `adds "${code}", but a code with "_" must end in _RLS or _USD: ${advice}`);
  }
  return asset;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

function wrong(path: string, place: string, reason: string): CommandFailure {
  return new CommandFailure(`${path}: ${place} ${reason}`, EXIT.config);
}
