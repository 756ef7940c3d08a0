import { readFile } from "node:fs/promises";
import type { Option } from "./args.ts";
import { ASSETS } from "../../core/mod.ts";
import type { Asset } from "../../core/mod.ts";
import { readCatalog } from "./catalog_setting.ts";
import { CommandFailure, EXIT, messageOf } from "./failure.ts";
import { demandNoConflict } from "./setting_conflicts.ts";
import type { Setting } from "./setting_kinds.ts";
import { flagOf, SETTING_NAMES, SETTINGS, variableOf } from "./settings.ts";
import type { Dashed, SettingName, SettingValues } from "./settings.ts";
import { isAddress } from "./store_setting.ts";

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings in force, each with its source. */
export interface SettingsInForce {
  readonly values: SettingValues;
  /** The flag, the variable or the path of the config file that gave the value, or `default`. */
  readonly sources: Readonly<Record<SettingName, string>>;
  /** The catalog: the assets of the contract, and what the config file adds and drops. */
  readonly assets: readonly Asset[];
  /** The path of the config file that has `assets`, or `default`. */
  readonly assetsSource: string;
  /** The path of the config file; `undefined` for none. */
  readonly config: string | undefined;
}

/** A value given for a setting, and its source. */
interface Given {
  readonly text: string;
  readonly source: string;
}

interface SettingOption extends Option {
  readonly kind: "switch" | "text";
}

const CONFIG_VARIABLE = "MAZANEH_CONFIG";
const CONFIG_OPTION: SettingOption = {
  kind: "text",
  placeholder: "FILE",
  summary: `JSON file with settings by name; options and variables override it [${CONFIG_VARIABLE}]`,
};

/** Options for these settings, and for the config file. With `data` come the others that tell where the data is. */
export function settingOptions<Name extends SettingName>(names: readonly Name[]): Readonly<Record<Dashed<Name> | "config", SettingOption>> {
  const all = new Set(names.flatMap((name: SettingName): SettingName[] => (name === "data" ? ["data", "store", "quota"] : [name])));
  const rows = [...all].map((name): [string, SettingOption] => {
    const { placeholder, summary, fallback } = SETTINGS[name];
    const hint = placeholder === undefined ? "" : `default ${String(fallback)}, `;
    const kind = placeholder === undefined ? "switch" : "text";
    return [flagOf(name), { kind, ...(placeholder !== undefined && { placeholder }), summary: `${summary} [${hint}${variableOf(name)}]` }];
  });
  return Object.fromEntries([...rows, ["config", CONFIG_OPTION]]) as Record<Dashed<Name> | "config", SettingOption>;
}

/**
 * Finds the settings in force: options override variables, variables override the config file, and that
 * overrides the defaults. Throws a failure with exit code 78 for a value that cannot be used, or an unknown
 * name in the config file.
 */
export async function settingsInForce(options: Readonly<Record<string, unknown>>, environment: Environment): Promise<SettingsInForce> {
  const config = textOf(options["config"]) ?? textOf(environment[CONFIG_VARIABLE]);
  const { given: file, ...catalog } = await readConfig(config);
  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const name of SETTING_NAMES) {
    const setting: Setting<unknown> = SETTINGS[name];
    const given = givenBy(name, options, environment) ?? file.get(name);
    values[name] = given ? valueOf(setting, name, given) : setting.fallback;
    sources[name] = given?.source ?? "default";
  }
  const settings = { values: values as SettingValues, sources: sources as Record<SettingName, string>, ...catalog, config };
  demandNoConflict(settings);
  return settings;
}

function givenBy(name: SettingName, options: Readonly<Record<string, unknown>>, environment: Environment): Given | undefined {
  const flag = options[flagOf(name)];
  if (flag === true) return { text: "true", source: `--${flagOf(name)}` };
  if (typeof flag === "string") return { text: flag, source: `--${flagOf(name)}` };
  // Container set-ups pass on variables that are empty when nothing was chosen.
  const variable = textOf(environment[variableOf(name)]);
  return variable === undefined ? undefined : { text: variable, source: variableOf(name) };
}

function valueOf(setting: Setting<unknown>, name: SettingName, { text, source }: Given): unknown {
  const value = setting.read(text);
  if (value === undefined) throw unusable(`${source}: ${name} must be ${setting.wanted}: received ${setting.received?.(text) ?? `"${withoutUser(text)}"`}`);
  if (source.startsWith("--") && isAddress(value) && value.hasPassword) {
    throw unusable(`${source}: a password on a command line can be read by all users of the machine: put the URL into ${variableOf(name)}`);
  }
  return value;
}

/** A text for people: a password in a URL must not get into a log. */
function withoutUser(text: string): string {
  return text.replace(/\/\/[^/]*@/, "//…@");
}

interface Config extends Pick<SettingsInForce, "assets" | "assetsSource"> {
  readonly given: ReadonlyMap<SettingName, Given>;
}

async function readConfig(path: string | undefined): Promise<Config> {
  const given = new Map<SettingName, Given>();
  let catalog = { assets: ASSETS, assetsSource: "default" };
  if (path === undefined) return { given, ...catalog };
  for (const [name, value] of Object.entries(await readObject(path))) {
    if (name === "assets") {
      catalog = { assets: readCatalog(path, value), assetsSource: path };
      continue;
    }
    const known = SETTING_NAMES.find((other) => other === name);
    if (known === undefined) throw unusable(`${path}: there is no setting "${name}": known are ${SETTING_NAMES.join(", ")}, assets`);
    const setting: Setting<unknown> = SETTINGS[known];
    const text = fromJson(value, setting.json);
    if (text === undefined) throw unusable(`${path}: ${known} must be ${setting.wanted}: received ${setting.received?.(JSON.stringify(value)) ?? withoutUser(JSON.stringify(value))}`);
    given.set(known, { text, source: path });
  }
  return { given, ...catalog };
}

async function readObject(path: string): Promise<object> {
  let content: string;
  try {
    content = await readFile(path, "utf8");
  } catch (error) {
    throw unusable(`Cannot read the config file "${path}": ${messageOf(error)}; check --config and ${CONFIG_VARIABLE}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    // The message of the parser quotes the file, which may hold a secret.
    throw unusable(`The config file "${path}" is not JSON: it must hold one object such as {"port": 8080}`);
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw unusable(`The config file "${path}" must hold one JSON object`);
}

function fromJson(value: unknown, allowed: Setting<unknown>["json"]): string | undefined {
  if (Array.isArray(value)) {
    return allowed.includes("list") && value.every((item) => typeof item === "string") ? value.join(",") : undefined;
  }
  const type = typeof value;
  const isAllowed = (type === "string" || type === "number" || type === "boolean") && allowed.includes(type);
  return isAllowed ? String(value) : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function unusable(message: string): CommandFailure {
  return new CommandFailure(message, EXIT.config);
}
