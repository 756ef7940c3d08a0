import { StoreError } from "../shared/store_error.ts";
import { isForbidden, type Send } from "./client.ts";

/**
 * Finds settings of this Redis that endanger the counts, and settings that cannot be read. Describes each in a sentence
 * or two. Throws `StoreError` for a writable replica, and `Unavailable` if Redis cannot be reached.
 */
export async function findUnsafeSettings(send: Send): Promise<readonly string[]> {
  const info = parseInfo(await readIfAllowed(send, ["INFO"]));
  if (info.get("role") === "slave" && info.get("slave_read_only") === "0") {
    throw new StoreError(
      "Cannot count units in this Redis because it is a writable replica (replica-read-only no): its primary does not get the counters, and overwrites them. Name the primary",
      78,
    );
  }
  const config = parsePairs(await readIfAllowed(send, ["CONFIG", "GET", "append*"]));
  const appendOnly = config.get("appendonly") ?? "unknown";
  const sync = config.get("appendfsync") ?? "unknown";
  const policy = info.get("maxmemory_policy") ?? "unknown";
  const warnings: string[] = [];
  if (appendOnly !== "yes" || sync !== "always")
    warnings.push(
      `Redis has appendonly ${appendOnly} and appendfsync ${sync}: units used shortly before a crash may be granted again. Set appendonly yes and appendfsync always`,
    );
  if (policy !== "noeviction" && info.get("maxmemory") !== "0")
    warnings.push(
      `Redis has maxmemory-policy ${policy}: when its memory is full, it drops counters, and then nobody gets units for the rest of the day. Set noeviction, or use a separate Redis`,
    );
  return warnings;
}

/** The answer to a command; `undefined` if the user may not run it. */
function readIfAllowed(send: Send, command: readonly [string, ...string[]]): Promise<unknown> {
  return send(command).catch((error: unknown) => {
    // A managed Redis may not know the command, or forbid it. After other errors, counting would fail as well.
    if (!isForbidden(error)) throw error;
  });
}

function parseInfo(answer: unknown = ""): ReadonlyMap<string, string> {
  return new Map([...String(answer).matchAll(/^(\w+):(.*?)\r?$/gm)].map(([, name = "", value = ""]) => [name, value]));
}

/** Names and their values: a list in RESP 2, an object in RESP 3. */
function parsePairs(answer: unknown = {}): ReadonlyMap<string, string> {
  if (!Array.isArray(answer)) return new Map(Object.entries(answer as Readonly<Record<string, string>>));
  return new Map(answer.flatMap((name, i) => (i % 2 === 0 ? [[String(name), String(answer[i + 1])] as const] : [])));
}
