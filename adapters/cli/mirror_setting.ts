import { readFile, stat } from "node:fs/promises";
import { suggestAssets } from "../../core/internal.ts";
import type { AssetCode } from "../../core/mod.ts";
import type { MirrorSettings } from "../server/start_server_mirror.ts";
import { CommandFailure, EXIT, messageOf, wrongUsage } from "./command_failure.ts";
import type { Environment, SettingsInForce } from "./settings_sources.ts";

/** The mirror that the settings ask for, and what the operator should know of them. */
export interface MirrorChoice {
  readonly mirror: MirrorSettings | undefined;
  readonly warnings: readonly string[];
}

const KEY_VARIABLE = "MAZANEH_UPSTREAM_KEY";
const KEY = /^[\x21-\x7e]+$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Reads what `serve` needs for a mirror. The key comes from a file or a variable: others can read a command line. */
export async function mirrorOf({ values, assets }: SettingsInForce, environment: Environment): Promise<MirrorChoice> {
  const { mirror: upstream, mirrorKeyFile, mirrorCodes, mirrorUnits: unitsADay } = values;
  if (upstream === "none") return { mirror: undefined, warnings: [] };
  if (values.store !== "files") {
    throw wrongUsage(
      `A mirror fills a store in files, where it also keeps its ledger of units, not ${values.store}: give --mirror or --store, not both`,
    );
  }
  const wanted = mirrorCodes === "none" ? [] : mirrorCodes;
  const codes = wanted === "all" ? undefined : wanted.map((code) => codeIn(assets, code));
  const isFile = mirrorKeyFile !== "none";
  const { key: first, warnings } = isFile
    ? await keyInFile(mirrorKeyFile)
    : { key: keyOf(environment[KEY_VARIABLE], KEY_VARIABLE), warnings: [] };
  // A file may get another key while the server runs.
  const key = isFile ? async () => (await keyInFile(mirrorKeyFile)).key : first;
  const { protocol, hostname } = new URL(upstream);
  if (protocol === "http:" && !LOOPBACK.test(hostname))
    warnings.push(`The key of the upstream travels unencrypted to ${upstream}: use https`);
  return { mirror: { upstream, key, unitsADay, ...(codes && { codes }) }, warnings };
}

async function keyInFile(path: string): Promise<{ readonly key: string; readonly warnings: string[] }> {
  try {
    const { mode } = await stat(path);
    const key = keyOf(await readFile(path, "utf8"), `The file "${path}"`);
    const isOpen = (mode & 0o077) !== 0;
    return {
      key,
      warnings: isOpen
        ? [
            `Other users of this machine may read the key file "${path}" (mode ${(mode & 0o777).toString(8)}). Make it private: chmod 600`,
          ]
        : [],
    };
  } catch (error) {
    throw error instanceof CommandFailure
      ? error
      : new CommandFailure(`Cannot read the key file "${path}": ${messageOf(error)}`, EXIT.config);
  }
}

/** The message never shows the value. */
function keyOf(value: string | undefined, source: string): string {
  const key = value?.trim() ?? "";
  if (key === "")
    throw new CommandFailure(
      `A mirror needs the key of its upstream: put it into ${KEY_VARIABLE}, or into a file that --mirror-key-file names. ${source} is empty`,
      EXIT.config,
    );
  if (!KEY.test(key))
    throw new CommandFailure(`${source} must hold one key, without blanks and line breaks in it`, EXIT.config);
  return key;
}

function codeIn(assets: SettingsInForce["assets"], code: string): AssetCode {
  const known = assets.find((asset) => asset.code === code);
  if (!known) {
    const suggestion = suggestAssets(assets, code);
    throw new CommandFailure(
      `--mirror-codes: there is no asset "${code.slice(0, 64)}" in the catalog${suggestion === "" ? "" : `; did you mean ${suggestion}?`}`,
      EXIT.config,
    );
  }
  return known.code;
}
