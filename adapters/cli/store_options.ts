import type { SettingsInForce } from "./settings_sources.ts";
import { isAddress } from "./store_setting.ts";

/** The options that another command needs to find the same store, each with a space before it; may be empty. */
export function storeOptions({ values, sources, config }: SettingsInForce): string {
  const names = values.store === "files" ? (["data", "store"] as const) : (["store", "quota"] as const);
  const options = names.map((name) => {
    const value = values[name];
    // Leaves out a URL with a password, because a password must stay in its environment variable.
    const isKnown = sources[name] === "default" || (isAddress(value) && value.hasPassword);
    return isKnown ? "" : ` --${name} ${shellWord(isAddress(value) ? value.url() : value)}`;
  });
  return options.join("") + (config === undefined ? "" : ` --config ${shellWord(config)}`);
}

/** Quotes a text as one word of a POSIX shell. */
export function shellWord(text: string): string {
  return /^[\p{L}\w./:@%+,-][\p{L}\w./:@%+=,-]*$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
