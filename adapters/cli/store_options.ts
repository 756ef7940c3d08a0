import type { SettingsInForce } from "./settings_sources.ts";

/** The options with which another command finds the same store, each with a space before it; empty where it needs none. */
export function storeOptions({ values, sources, config }: Pick<SettingsInForce, "values" | "sources" | "config">): string {
  // A data directory that the config file names comes with it.
  const data = sources.data === "default" || sources.data === config ? "" : ` --data ${shellWord(values.data)}`;
  return data + (config === undefined ? "" : ` --config ${shellWord(config)}`);
}

/** Quotes a text as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
