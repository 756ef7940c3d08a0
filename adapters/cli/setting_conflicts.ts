import { distance } from "../intake/names/edit_distance.ts";
import { wrongSetting, wrongUsage } from "./command_failure.ts";
import { SETTING_NAMES, variableOf } from "./settings.ts";
import type { Environment, SettingsInForce } from "./settings_sources.ts";

type Settings = Pick<SettingsInForce, "values" | "sources">;

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|::1)$/;
/** Variables of the program that are not settings. */
const OTHER_VARIABLES = ["MAZANEH_CONFIG", "MAZANEH_UPSTREAM_KEY"];
const MAX_SLIPS = 2;
const PREFIX = "MAZANEH_";

/** Refuses settings that contradict each other: a command with two stores could write into the wrong one. */
export function demandNoConflict({ values, sources }: Settings): void {
  const { behindProxy, addressRate, store, quota } = values;
  // If `behindProxy` is `true`, the addresses of clients are unknown.
  if (behindProxy === true && addressRate !== "none") {
    throw wrongSetting(
      `${sources.addressRate}: addressRate needs the addresses of clients, so behindProxy must name the proxies instead of being true`,
    );
  }
  if (store === "files") {
    if (quota !== "store") {
      throw wrongSetting(
        `${sources.quota}: a store in files counts units itself: add --quota store, or name a store such as postgres://user@host:5432/database`,
      );
    }
  } else if (sources.data === "--data") {
    throw wrongUsage(
      `--data and ${sources.store} name two stores: leave --data out for ${store}, or add --store files for the directory`,
    );
  }
}

/** Notes for any command about settings without effect, so that the user does not expect them to choose the store. */
export function commandNotes({ values: { store }, sources }: Settings, environment: Environment): string[] {
  const notes = misspeltVariables(environment);
  if (store !== "files" && sources.data !== "default")
    notes.unshift(`The directory of ${sources.data} is not used: ${sources.store} names another store, ${store}`);
  return notes;
}

/** Warnings at the start of a server: the notes of `commandNotes`, and notes on settings that need another setting. */
export function serverWarnings(settings: Settings, environment: Environment): string[] {
  const { values, sources } = settings;
  const { behindProxy, addressRate, host, publicMarket } = values;
  const warnings = commandNotes(settings, environment);
  if (publicMarket && addressRate === "none" && behindProxy !== true)
    warnings.push(
      "The market is public, and the requests of each address are not limited: --address-rate 20/s:200 limits them",
    );
  if (addressRate !== "none" && behindProxy === false && LOOPBACK.test(host)) {
    warnings.push(
      `${sources.addressRate} counts all clients of a proxy on this machine as one: if there is such a proxy, name it with --behind-proxy 127.0.0.1`,
    );
  }
  return warnings;
}

/** Variables that Kubernetes sets for a service with the name `mazaneh`. */
const OF_KUBERNETES = /_SERVICE_(?:HOST|PORT)(?:_|$)|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_|$)/;

/** Notes on variables that are probably misspelt: MAZANEH_DATA_DIR, for example, contains MAZANEH_DATA. */
function misspeltVariables(environment: Environment): string[] {
  // Longest names first: the longest matching name is the most specific one.
  const known = [...SETTING_NAMES.map(variableOf), ...OTHER_VARIABLES].sort((a, b) => b.length - a.length);
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith(PREFIX) && !known.includes(name) && environment[name] !== "" && !OF_KUBERNETES.test(name),
  );
  return unknown.flatMap((name) => {
    const meant =
      known.find((other) => distance(name, other) <= MAX_SLIPS) ??
      known.find((other) => `${name}_`.includes(`_${other.slice(PREFIX.length)}_`));
    return meant === undefined ? [] : [`The variable ${name} has no effect; did you mean ${meant}?`];
  });
}
