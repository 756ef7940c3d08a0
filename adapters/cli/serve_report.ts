import { formatTimestamp } from "../../core/internal.ts";
import type { UtcMillis } from "../../core/mod.ts";
import { type Standalone, urlOf } from "../server/standalone.ts";
import { planInWords, planOf } from "./account_text.ts";
import type { CliContext } from "./command.ts";
import type { DemoKey } from "./sample.ts";
import { SETTING_NAMES } from "./settings.ts";
import type { SettingsInForce } from "./settings_sources.ts";
import { storeOptions } from "./store_options.ts";
import { alignColumns, countOf } from "./text_table.ts";

/** The state of a server that has started, for its report. */
export type ServeState = Awaited<ReturnType<typeof stateOf>>;

interface Chosen {
  readonly settings: SettingsInForce;
  /** `undefined` unless the sample is served. */
  readonly demoKey: DemoKey | undefined;
  readonly warnings: readonly string[];
}

/** Collects the state of a started server. */
export async function stateOf({ address, adminUrl, store }: Standalone, chosen: Chosen) {
  const coverage = await store.observations.coverage(chosen.settings.assets.map(({ code }) => code));
  const known = coverage.value.filter((one) => one !== undefined);
  const from = Math.min(...known.map((one) => one.availableFrom)) as UtcMillis;
  const to = Math.max(...known.map((one) => one.latest.businessTime)) as UtcMillis;
  return {
    ...chosen,
    url: urlOf(address),
    adminUrl,
    book: await store.accounts.book(),
    /** The number of assets with records, and their first and last business time. */
    records: known.length > 0 ? { assets: known.length, from, to } : undefined,
    damages: (await store.info()).damages,
    warnings: [...store.warnings, ...chosen.warnings],
  };
}

/** The state as a JSON document. */
export function stateJson(
  { url, adminUrl, settings, demoKey, book, records, damages, warnings }: ServeState,
  { version }: CliContext,
): string {
  const assets = settings.config === undefined ? "default" : settings.assets.map(({ code }) => code);
  const report = {
    url,
    adminUrl: adminUrl ?? null,
    version,
    settings: { ...settings.values, assets },
    sample: demoKey !== undefined,
    demoKey: demoKey ?? null,
    keys: book.keys.length,
    records: records ? { ...records, from: formatTimestamp(records.from), to: formatTimestamp(records.to) } : null,
    damages,
    warnings,
  };
  return `${JSON.stringify(report)}\n`;
}

/** The state as text, with the next steps for a new installation. */
export function stateText(state: ServeState, { version, program }: CliContext): string {
  const { url, adminUrl, settings, demoKey, book, records, warnings } = state;
  const keys = book.keys.length;
  // The sample is in memory and uses none of these settings.
  const names = demoKey ? SETTING_NAMES.filter((name) => !["data", "store", "quota"].includes(name)) : SETTING_NAMES;
  const rows = names.map((name) => [name, String(settings.values[name]), settings.sources[name]]);
  rows.push(["assets", `${settings.assets.length} in the catalog`, settings.config ?? "default"]);
  const place = storeOptions(settings);
  const lines = [`Mazaneh ${version}`, "", ...alignColumns(rows).map((line) => `  ${line}`), ""];

  lines.push(...warnings.map((warning) => `Warning: ${warning}`));
  if (demoKey) {
    const own = `${program} import FILE --init  and then  ${program} serve`;
    lines.push(`All prices here are made up, and are in memory only. To serve your own:  ${own}`);
  }
  if (records)
    lines.push(
      `Records of ${countOf(records.assets, "asset")}, ${formatTimestamp(records.from)} to ${formatTimestamp(records.to)}.`,
    );
  else if (settings.values.mirror !== "none")
    lines.push(`There are no records yet. The mirror will fetch them: ${program} mirror status${place}`);
  else lines.push(`There are no records yet. Import some:  ${program} import FILE${place}`);
  if (keys === 0) lines.push(`There are no keys yet. Make one:  ${program} keys create NAME${place}`);
  lines.push(`Listening on ${url}`, `The page for people: ${url}/docs`);
  if (adminUrl !== undefined) lines.push(`For monitoring: ${adminUrl}/readyz, /livez and /metrics`);

  if (demoKey) {
    const { key, account } = demoKey;
    const plan = planInWords(planOf(book, account));
    const about = "The page gives this key to all visitors; the next start makes another key.";
    lines.push("", `Key of account ${account}, ${plan}. ${about}`, "", `  ${key}`, "", "Try it:", "");
    lines.push(`  curl -H "X-API-Key: ${key}" ${url}/api/v1/assets/USD_RLS`, "");
  } else if (keys > 0) {
    lines.push(`A key made earlier cannot be shown again. Make another:  ${program} keys create NAME${place}`);
  }
  return `${lines.join("\n")}\n`;
}
