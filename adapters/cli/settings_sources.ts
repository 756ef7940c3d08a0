import type { Asset } from "../../core/mod.ts";
import { catalogIn } from "./catalog_setting.ts";
import { wrongSetting } from "./command_failure.ts";
import { type Option, type OptionTable, switchOption, textOption } from "./parse_arguments.ts";
import { demandNoConflict } from "./setting_conflicts.ts";
import type { Setting } from "./setting_kinds.ts";
import { dashed, SETTING_NAMES, SETTINGS, type SettingName, type SettingValues, variableOf } from "./settings.ts";
import { isAddress } from "./store_setting.ts";

/** Environment variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings in force, and where each value comes from. */
export interface SettingsInForce {
  readonly values: SettingValues;
  /** The flag or the variable that gave the value, or `default`. */
  readonly sources: Readonly<Record<SettingName, string>>;
  /** The catalog: the assets of the contract, with the additions and removals of the config file. */
  readonly assets: readonly Asset[];
  /** The path of the config file; `undefined` for none. */
  readonly config: string | undefined;
}

const CONFIG_OPTION = textOption("FILE", `JSON file with the assets to add and drop [${variableOf("config")}]`);

/** The options for these settings and for the config file. With `data`, also the options for `store` and `quota`. */
export function settingOptions(names: readonly SettingName[]): OptionTable {
  const all = new Set(names.flatMap((name) => (name === "data" ? (["data", "store", "quota"] as const) : [name])));
  const options = [...all].map((name): [string, Option] => {
    const { placeholder, summary, fallback } = SETTINGS[name];
    if (placeholder === undefined) return [dashed(name), switchOption(`${summary} [${variableOf(name)}]`)];
    return [dashed(name), textOption(placeholder, `${summary} [default ${String(fallback)}, ${variableOf(name)}]`)];
  });
  return { ...Object.fromEntries(options), config: CONFIG_OPTION };
}

/**
 * Finds the settings in force. Options override variables, and variables override the defaults. Throws a failure with
 * exit code 78 if a value or the config file cannot be used.
 */
export async function settingsInForce(
  options: Readonly<Record<string, unknown>>,
  environment: Environment,
): Promise<SettingsInForce> {
  /** The text of a setting or of the config file's path, and the option or variable that it comes from. */
  function givenFor(name: SettingName | "config"): readonly [text: string | undefined, source: string] {
    const option = options[dashed(name)];
    if (option === true || typeof option === "string") return [String(option), `--${dashed(name)}`];
    const text = environment[variableOf(name)];
    // An empty variable counts as unset, because container set-ups often leave variables empty.
    return text === undefined || text === "" ? [undefined, "default"] : [text, variableOf(name)];
  }

  const values: Record<string, unknown> = {};
  const sources: Record<string, string> = {};
  for (const name of SETTING_NAMES) {
    const [text, source] = givenFor(name);
    values[name] = text === undefined ? SETTINGS[name].fallback : valueOf(name, text, source);
    sources[name] = source;
  }
  const [config] = givenFor("config");
  const assets = await catalogIn(config);
  const settings = { values, sources, assets, config } as unknown as SettingsInForce;
  demandNoConflict(settings);
  return settings;
}

function valueOf(name: SettingName, text: string, source: string): unknown {
  const setting: Setting<unknown> = SETTINGS[name];
  const value = setting.read(text);
  // The password of a URL must not get into a log.
  const received = setting.received?.(text) ?? `"${text.replace(/\/\/[^/]*@/, "//…@")}"`;
  if (value === undefined) throw wrongSetting(`${source}: ${name} must be ${setting.expected}: received ${received}`);
  if (source.startsWith("--") && isAddress(value) && value.hasPassword) {
    throw wrongSetting(
      `${source}: a password on a command line can be read by all users of the machine: put the URL into ${variableOf(name)}`,
    );
  }
  return value;
}
