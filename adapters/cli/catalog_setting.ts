import { readFile } from "node:fs/promises";
import { ASSETS, CATEGORIES, defineAsset } from "../../core/mod.ts";
import type { Asset } from "../../core/mod.ts";
import { CommandFailure, EXIT, messageOf } from "./failure.ts";

const MAX_NAME_LENGTH = 100;
const MEMBERS = ["code", "category", "nameEn", "nameFa"] as const;
const SHAPE = '{"assets": {"add": [{"code": "ZZZ_USD", "category": "FX", "nameEn": "…", "nameFa": "…"}], "drop": ["PEPE_USD"]}}';

/**
 * The assets of the contract with what a config file adds and drops. An asset that is added under a code of the contract
 * takes its place; others come last, in their order.
 *
 * @param path The file; `undefined` for none.
 * @throws CommandFailure with exit code 78, which names the file, the entry and the reason.
 */
export async function catalogIn(path: string | undefined): Promise<readonly Asset[]> {
  if (path === undefined) return ASSETS;
  const wrong = (place: string, reason: string): CommandFailure => new CommandFailure(`${path}: ${place} ${reason}`, EXIT.config);
  const { assets = {} } = membersOf(await readJson(path), "the file", { names: ["assets"], wrong });
  const { add = [], drop = [] } = membersOf(assets, "assets", { names: ["add", "drop"], wrong });
  for (const [name, list] of Object.entries({ add, drop })) if (!Array.isArray(list)) throw wrong(`assets.${name}`, `must be a list: received ${show(list)}`);

  const known = new Set<unknown>(ASSETS.map(({ code }) => code));
  const dropped = new Set<unknown>(drop as unknown[]);
  for (const code of dropped) if (!known.has(code)) throw wrong("assets.drop", `must have codes of the contract: received ${show(code)}`);
  const added = new Map<string, Asset>();
  for (const [at, entry] of (add as unknown[]).entries()) {
    const place = `assets.add[${at}]`;
    const asset = assetOf(membersOf(entry, place, { names: MEMBERS, wrong }), place, wrong);
    if (added.has(asset.code)) throw wrong(place, `adds "${asset.code}" a second time`);
    if (dropped.has(asset.code)) throw wrong(place, `adds "${asset.code}", which assets.drop drops`);
    added.set(asset.code, asset);
  }
  const kept = ASSETS.filter(({ code }) => !dropped.has(code)).map((asset) => added.get(asset.code) ?? asset);
  const catalog = [...kept, ...[...added.values()].filter(({ code }) => !known.has(code))];
  if (catalog.length === 0) throw wrong("assets", "drops every asset");
  return catalog;
}

type Wrong = (place: string, reason: string) => CommandFailure;

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    throw new CommandFailure(`Cannot read the config file "${path}": ${messageOf(error)}; check --config and MAZANEH_CONFIG`, EXIT.config);
  }
}

/** The members of an object that has no others than these. */
function membersOf<Name extends string>(
  value: unknown,
  place: string,
  { names, wrong }: { readonly names: readonly Name[]; readonly wrong: Wrong },
): { readonly [Member in Name]?: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong(place, `must be an object, as in ${SHAPE}: received ${show(value)}`);
  for (const name of Object.keys(value)) {
    const hint = place === "the file" ? "; all else is set with flags and variables" : "";
    if (!names.some((known) => known === name)) throw wrong(place, `has "${name}", which is not known: known are ${names.join(", ")}${hint}`);
  }
  return value;
}

function assetOf(entry: Partial<Readonly<Record<(typeof MEMBERS)[number], unknown>>>, place: string, wrong: Wrong): Asset {
  const [code, given, nameEn, nameFa] = MEMBERS.map((name) => {
    const value = entry[name];
    if (typeof value === "string" && value.trim() !== "" && value.length <= MAX_NAME_LENGTH && !/[\p{Cc}/]/u.test(value)) return value.trim();
    throw wrong(place, `needs ${name}, a text of 1 to ${MAX_NAME_LENGTH} characters without "/": received ${show(value)}`);
  }) as [string, string, string, string];
  const category = CATEGORIES.find((name) => name === given);
  if (!category) throw wrong(place, `has a category that is not one of ${CATEGORIES.join(", ")}: received ${show(given)}`);
  // Nothing converts values: those of a code that names another unit would be answered as rial.
  if (code.includes("_") && !/_(?:RLS|USD)$/.test(code) && !ASSETS.some((other) => other.code === code)) {
    const advice = "values are stored in rial or US dollars; for prices in toman, end it in _RLS and import with --unit toman";
    throw wrong(place, `adds "${code}", but a code with "_" must end in _RLS or _USD: ${advice}`);
  }
  try {
    return defineAsset({ code, category, nameEn, nameFa });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw wrong(place, `is refused: ${error.message}`);
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
