import { formatTimestamp, HOUR_MS } from "../../../core/internal.ts";
import type { Asset, AssetCode, UtcMillis } from "../../../core/mod.ts";
import type { StoredRecords } from "./check_records.ts";

type AssetState = "current" | "vanished" | "rejected" | "pending";

/** The number of assets in each state. `problems` has a sentence for the operator about each kind of problem. */
export interface AssetReport {
  readonly counts: Readonly<Record<AssetState, number>>;
  readonly problems: ReadonlyMap<AssetState | "still", string>;
}

/** Assets missing for this long have vanished. Before that, the next refresh may have them again. */
const VANISHED_MS = 2 * HOUR_MS;
/** Rejected or pending assets are a problem if they are at least this share of all assets. */
const GROUP = 0.1;
/** Prices are frozen if none has changed for this long. The longer time applies if no asset trades around the clock. */
const [STILL_MS, STILL_CLOSED_MS] = [3 * HOUR_MS, 96 * HOUR_MS];
const NAMED = 5;

/** Watches which of an upstream's assets vanish, are rejected, or are pending; and whether any price moves. */
export function createAssetWatch(catalog: ReadonlyMap<string, Asset>) {
  const states = new Map<AssetCode, AssetState>();
  const newest = new Map<AssetCode, UtcMillis>();
  const missingSince = new Map<AssetCode, UtcMillis>();
  let movedAt: UtcMillis | undefined;
  let notedAt: UtcMillis | undefined;

  /** Notes the records of a refresh. `known` are the assets that the upstream has had so far. */
  function note({ newestOf, pendingCodes, refused }: StoredRecords, known: Iterable<AssetCode>, now: UtcMillis): void {
    const rejected = new Set(refused.flatMap(({ code }) => catalog.get(code)?.code ?? []));
    for (const code of new Set([...known, ...states.keys(), ...newestOf.keys(), ...rejected])) {
      const time = newestOf.get(code);
      if (time !== undefined && time > (newest.get(code) ?? -Infinity)) {
        newest.set(code, time);
        movedAt = now;
      }
      const isThere = time !== undefined || rejected.has(code);
      if (isThere) missingSince.delete(code);
      else if (!missingSince.has(code)) missingSince.set(code, now);
      if (pendingCodes.has(code)) states.set(code, "pending");
      else if (time !== undefined) states.set(code, "current");
      else if (isThere) states.set(code, "rejected");
      else if (now - missingSince.get(code)! >= VANISHED_MS) states.set(code, "vanished");
    }
    movedAt ??= now;
    notedAt = now;
  }

  function report(): AssetReport {
    const counts = { current: 0, vanished: 0, rejected: 0, pending: 0 };
    for (const state of states.values()) counts[state]++;
    const problems = new Map<AssetState | "still", string>();
    const named = (state: AssetState): string => {
      const codes = [...states.keys()].filter((code) => states.get(code) === state);
      return codes.slice(0, NAMED).join(", ") + (codes.length > NAMED ? " …" : "");
    };
    const isGroup = (state: AssetState): boolean => counts[state] > 0 && counts[state] >= GROUP * states.size;
    const of = (state: AssetState): string => `${counts[state]} of ${states.size} assets`;
    if (counts.vanished > 0)
      problems.set("vanished", `${of("vanished")} are no longer in the upstream's answers: ${named("vanished")}`);
    if (isGroup("rejected")) problems.set("rejected", `${of("rejected")} are rejected: ${named("rejected")}`);
    if (isGroup("pending"))
      problems.set("pending", `The last values of ${of("pending")} are pending: ${named("pending")}`);
    const isOpen = [...states.keys()].some((code) => catalog.get(code)?.category === "CRYPTO");
    if (movedAt !== undefined && notedAt! - movedAt >= (isOpen ? STILL_MS : STILL_CLOSED_MS))
      problems.set("still", `No price has moved since ${formatTimestamp(movedAt)}: the upstream seems to be frozen`);
    return { counts, problems };
  }

  return { note, report };
}
