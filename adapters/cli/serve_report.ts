import { formatTimestamp } from "../../core/internal.ts";
import { ASSETS } from "../../core/mod.ts";
import type { AccountBook, IssuedKey, UtcMillis } from "../../core/mod.ts";
import type { Address } from "../node/server.ts";
import type { Standalone } from "../standalone.ts";
import { planInWords, planOf } from "./account_text.ts";
import type { CliContext } from "./command.ts";
import { SETTING_NAMES } from "./settings.ts";
import type { SettingsInForce } from "./settings_sources.ts";
import { alignColumns, formatCount } from "./table.ts";

/** What a started server has to tell. */
export interface ServeState {
  readonly url: string;
  readonly settings: SettingsInForce;
  /** Records of the sample archive that this start has loaded. */
  readonly sampleRecords: number;
  /** The demo key, where this start has made it. */
  readonly demoKey: IssuedKey | undefined;
  readonly book: AccountBook;
  /** How many assets have records, and the first and last business time of them; `undefined` for none. */
  readonly records: { readonly assets: number; readonly from: UtcMillis; readonly to: UtcMillis } | undefined;
  /** Places of the store's logs that could not be read. */
  readonly damages: number;
}

/** Asks a server's store for what there is to tell. */
export async function stateOf(
  { address, store }: Standalone,
  made: Pick<ServeState, "settings" | "sampleRecords" | "demoKey">,
): Promise<ServeState> {
  const coverage = await store.observations.coverage(ASSETS.map(({ code }) => code));
  const known = coverage.filter((one) => one !== undefined);
  const from = Math.min(...known.map((one) => one.availableFrom)) as UtcMillis;
  const to = Math.max(...known.map((one) => one.latest.businessTime)) as UtcMillis;
  return {
    ...made,
    url: urlOf(address),
    book: store.accounts.book(),
    records: known.length > 0 ? { assets: known.length, from, to } : undefined,
    damages: store.damages.length,
  };
}

/** For machines. */
export function stateJson({ url, settings, sampleRecords, demoKey, book, records, damages }: ServeState, { version }: CliContext): string {
  const key = demoKey ? { account: demoKey.entry.accountId, id: demoKey.entry.id, key: demoKey.key } : null;
  const covered = records ? { assets: records.assets, from: formatTimestamp(records.from), to: formatTimestamp(records.to) } : null;
  return `${JSON.stringify({ url, version, settings: settings.values, sampleRecords, demoKey: key, keys: book.keys.length, records: covered, damages })}\n`;
}

/** For people. */
export function stateText(state: ServeState, { version, program }: CliContext): string {
  const { url, settings, sampleRecords, demoKey, book, records, damages } = state;
  const keys = book.keys.length;
  const rows = SETTING_NAMES.map((name) => [name, String(settings.values[name]), settings.sources[name]]);
  const place = settings.sources.data === "default" ? "" : ` --data ${shellWord(settings.values.data)}`;
  const lines = [`Mazaneh ${version}`, "", ...alignColumns(rows).map((line) => `  ${line}`), ""];

  if (sampleRecords > 0) lines.push(`Loaded the sample archive: ${formatCount(sampleRecords)} records, made up, provider SAMPLE.`);
  if (damages > 0) lines.push(`${formatCount(damages)} places of the data could not be read; the rest is served, their bytes are in quarantine/.`);
  if (records) lines.push(`Records of ${records.assets} assets, ${formatTimestamp(records.from)} to ${formatTimestamp(records.to)}.`);
  else lines.push(`There are no records yet. Take some in:  ${program} import FILE${place}`);
  if (keys === 0) lines.push(`There are no keys yet. Make one:  ${program} keys create NAME${place}`);
  lines.push(`Listening on ${url}`);

  if (demoKey) {
    const { key, entry } = demoKey;
    lines.push("", `Key of account ${entry.accountId}, ${planInWords(planOf(book, entry.accountId))}. Keep it: it is shown only now.`, "", `  ${key}`);
    lines.push("", "Try it:", "", `  curl -H "X-API-Key: ${key}" ${url}/api/v1/assets/USD_RLS`, "");
  } else if (keys > 0) {
    lines.push(`A key made earlier cannot be shown again. Make another:  ${program} keys create NAME${place}`);
  }
  return `${lines.join("\n")}\n`;
}

/** The URL to reach an address from this machine. */
function urlOf({ host, port }: Address): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** A text as one word of a POSIX shell. */
function shellWord(text: string): string {
  return /^[\w./:@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
