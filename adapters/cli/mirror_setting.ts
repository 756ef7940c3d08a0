import { readFile, stat } from "node:fs/promises";
import { suggestAssets } from "../../core/internal.ts";
import type { AssetCode } from "../../core/mod.ts";
import type { MirrorSettings } from "../server/start_server_mirror.ts";
import { CommandFailure, messageOf, wrongSetting, wrongUsage } from "./command_failure.ts";
import type { Environment, SettingsInForce } from "./settings_sources.ts";

const KEY_VARIABLE = "MAZANEH_UPSTREAM_KEY";
const KEY = /^[\x21-\x7e]+$/;
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** The mirror's settings, and warnings about them. No option takes the key, because other users could read it. */
export async function mirrorOf(
  { values, assets }: SettingsInForce,
  environment: Environment,
): Promise<{ readonly mirror: MirrorSettings | undefined; readonly warnings: readonly string[] }> {
  const { mirror: upstream, mirrorKeyFile, mirrorCodes, mirrorUnits: unitsADay } = values;
  if (upstream === "none") return { mirror: undefined, warnings: [] };
  if (values.store !== "files") {
    throw wrongUsage(
      `A mirror needs a store in files, where it also keeps its ledger of units, but the store is ${values.store}: give --mirror or --store, not both`,
    );
  }
  const wanted = mirrorCodes === "none" ? [] : mirrorCodes;
  const codes = wanted === "all" ? undefined : wanted.map((code) => codeIn(assets, code));
  const isFile = mirrorKeyFile !== "none";
  const { key: first, warnings } = isFile
    ? await keyInFile(mirrorKeyFile)
    : { key: keyOf(environment[KEY_VARIABLE], KEY_VARIABLE), warnings: [] };
  // Read the file again each time: its key may be replaced while the server runs.
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
    const warning = `Other users of this machine may read the key file "${path}" (mode ${(mode & 0o777).toString(8)}). Make it private: chmod 600`;
    return { key, warnings: (mode & 0o077) === 0 ? [] : [warning] };
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw wrongSetting(`Cannot read the key file "${path}": ${messageOf(error)}`);
  }
}

/** Returns a valid key; throws a failure for any other value, without the value in its message. */
function keyOf(value: string | undefined, source: string): string {
  const key = value?.trim() ?? "";
  if (key === "")
    throw wrongSetting(
      `A mirror needs the key of its upstream: put it into ${KEY_VARIABLE}, or into a file that --mirror-key-file names. ${source} is empty`,
    );
  if (!KEY.test(key)) throw wrongSetting(`${source} must hold one key, without blanks and line breaks in it`);
  return key;
}

function codeIn(assets: SettingsInForce["assets"], code: string): AssetCode {
  const known = assets.find((asset) => asset.code === code);
  if (known) return known.code;
  const suggestion = suggestAssets(assets, code);
  throw wrongSetting(
    `--mirror-codes: there is no asset "${code.slice(0, 64)}" in the catalog${suggestion === "" ? "" : `; did you mean ${suggestion}?`}`,
  );
}
