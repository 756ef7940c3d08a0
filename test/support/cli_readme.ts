import { flagOf, SETTING_NAMES, SETTINGS, variableOf } from "../../adapters/cli/settings.ts";

/** The README's table of settings, made from the one that the program uses. */
export function settingsTable(): string {
  const rows = SETTING_NAMES.map((name) => {
    const { summary, fallback, placeholder } = SETTINGS[name];
    const flag = `--${flagOf(name)}${placeholder === undefined ? "" : ` ${placeholder}`}`;
    return `| \`${name}\` | \`${flag}\` | \`${variableOf(name)}\` | \`${String(fallback)}\` | ${summary} |`;
  });
  return ["| in a config file | option | variable | default | |", "|---|---|---|---|---|", ...rows].join("\n");
}
