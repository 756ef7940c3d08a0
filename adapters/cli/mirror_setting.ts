import { readFile, stat } from "node:fs/promises";
import { suggestAssets } from "../../core/internal.ts";
import { budgetOf, daysForAYear } from "../../core/mirror/mod.ts";
import type { AssetCode } from "../../core/mod.ts";
import type { MirrorSettings } from "../standalone_mirror.ts";
import { CommandFailure, EXIT, messageOf, wrongUsage } from "./failure.ts";
import type { Environment, SettingsInForce } from "./settings_sources.ts";
import { formatCount } from "./table.ts";

/** The mirror that the settings ask for, and what the operator should know of them. */
export interface WantedMirror {
  readonly mirror: MirrorSettings | undefined;
  readonly warnings: readonly string[];
}

const KEY_VARIABLE = "MAZANEH_UPSTREAM_KEY";
const MIRROR_SETTINGS = ["mirrorKeyFile", "mirrorCodes", "mirrorUnits"] as const;
const MAX_KEY_BYTES = 4_096;
const KEY = /^[\x21-\x7e]+$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Reads what `serve` needs for a mirror. The key comes from a file or a variable: others can read a command line. */
export async function mirrorOf({ values, sources, assets }: SettingsInForce, environment: Environment): Promise<WantedMirror> {
  const { mirror: upstream, mirrorKeyFile, mirrorCodes, mirrorUnits: unitsADay } = values;
  if (upstream === "none") return { mirror: undefined, warnings: idleSettings(sources) };
  if (values.store !== "files") {
    throw wrongUsage(`A mirror fills a store in files, where it also keeps its ledger of units, not ${values.store}: give --mirror or --store, not both`);
  }
  const codes = mirrorCodes === "all" ? undefined : mirrorCodes.map((code) => codeIn(assets, code));
  const { key, warnings } = mirrorKeyFile === "none" ? keyOf(environment[KEY_VARIABLE], KEY_VARIABLE) : await keyInFile(mirrorKeyFile);
  const isOther = mirrorKeyFile !== "none" && !["", key].includes(environment[KEY_VARIABLE]?.trim() ?? "");
  if (isOther) warnings.push(`Two keys are given for the upstream, and ${sources.mirrorKeyFile} counts: the key file "${mirrorKeyFile}", not ${KEY_VARIABLE}`);
  const { protocol, hostname } = new URL(upstream);
  if (protocol === "http:" && !LOOPBACK.test(hostname)) warnings.push(`The key of the upstream travels unencrypted to ${upstream}: use https`);
  return { mirror: { upstream, key, unitsADay, ...(codes && { codes }) }, warnings };
}

/** What to say of settings that only a mirror has, where there is none. */
function idleSettings(sources: SettingsInForce["sources"]): readonly string[] {
  const idle = MIRROR_SETTINGS.map((name) => sources[name]).filter((source) => source !== "default");
  return idle.length === 0 ? [] : [`Without --mirror URL, no mirror runs, and this has no effect: ${[...new Set(idle)].join(", ")}`];
}

/** How long the history takes that a mirror is to bring, for people, as a sentence. */
export function historyInWords({ values: { mirrorCodes, mirrorUnits }, assets }: Pick<SettingsInForce, "values" | "assets">): string {
  const count = mirrorCodes === "all" ? assets.length : mirrorCodes.length;
  const days = daysForAYear(budgetOf(mirrorUnits), count);
  const pace = days === undefined ? "No units are planned for history"
    : `Each year of the history of ${formatCount(count)} ${count === 1 ? "asset" : "assets"} takes about ${formatCount(days)} days`;
  return `${pace}, with ${formatCount(mirrorUnits)} ${mirrorUnits === 1 ? "unit" : "units"} a day${mirrorCodes === "all" && count > 1 ? "; --mirror-codes asks for fewer" : ""}.`;
}

interface FoundKey {
  readonly key: string;
  readonly warnings: string[];
}

async function keyInFile(path: string): Promise<FoundKey> {
  let text: string;
  let mode: number;
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > MAX_KEY_BYTES) throw new Error("it is no file that holds one key");
    ({ mode } = found);
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new CommandFailure(`Cannot read the key file "${path}": ${messageOf(error)}`, EXIT.config);
  }
  const { key, warnings } = keyOf(text, `The file "${path}"`);
  if ((mode & 0o077) !== 0) warnings.push(`Other users of this machine may read the key file "${path}" (mode ${(mode & 0o777).toString(8)}). Make it private: chmod 600`);
  return { key, warnings };
}

/** The message never shows the value. */
function keyOf(value: string | undefined, source: string): FoundKey {
  const key = value?.trim() ?? "";
  if (key === "") {
    const found = source === KEY_VARIABLE ? "" : `. ${source} is empty`;
    throw new CommandFailure(`A mirror needs the key of its upstream: put it into ${KEY_VARIABLE}, or into a file that --mirror-key-file names${found}`, EXIT.config);
  }
  if (!KEY.test(key)) throw new CommandFailure(`${source} must hold one key, without blanks and line breaks in it`, EXIT.config);
  return { key, warnings: [] };
}

function codeIn(assets: SettingsInForce["assets"], code: string): AssetCode {
  const known = assets.find((asset) => asset.code === code);
  if (!known) {
    const suggestion = suggestAssets(assets, code);
    throw new CommandFailure(`--mirror-codes: there is no asset "${code.slice(0, 64)}" in the catalog${suggestion === "" ? "" : `; did you mean ${suggestion}?`}`, EXIT.config);
  }
  return known.code;
}
