import { formatTimestamp, HOUR_MS } from "../../../core/internal.ts";
import type { Asset, AssetCode, UtcMillis } from "../../../core/mod.ts";
import type { TakenRecords } from "./check_records.ts";

/** What became of an asset in the last refresh. */
export type AssetState = "current" | "vanished" | "rejected" | "pending";
const STATES = ["current", "vanished", "rejected", "pending"] as const satisfies readonly AssetState[];

/** What is noticed about the assets of an upstream that answers. */
export interface AssetReport {
  /** How many assets are in each state. */
  readonly counts: Readonly<Record<AssetState, number>>;
  /** What somebody should look at, by kind, each as a sentence without a full stop. */
  readonly problems: ReadonlyMap<AssetState | "still", string>;
}

/** An asset that is missing for less may be back with the next refresh. */
const VANISHED_MS = 2 * HOUR_MS;
/** From this share of the assets on, it is no longer a matter of single ones. */
const GROUP = 0.1;
/** After so long without a new business time, prices are frozen: where some trade around the clock, and where none does, over holidays. */
const [STILL_MS, STILL_CLOSED_MS] = [3 * HOUR_MS, 96 * HOUR_MS];
const NAMED = 5;

/** Watches the assets of an upstream: which vanish, are rejected or pending, and whether any price moves. */
export function createAssetWatch(catalog: ReadonlyMap<string, Asset>) {
  const states = new Map<AssetCode, AssetState>();
  const newest = new Map<AssetCode, UtcMillis>();
  const missingSince = new Map<AssetCode, UtcMillis>();
  let movedAt: UtcMillis | undefined;
  let notedAt: UtcMillis | undefined;

  /** Takes over a refresh. `known` are the assets that the upstream has had. */
  function note({ newestOf, pendingCodes, refused }: TakenRecords, known: Iterable<AssetCode>, now: UtcMillis): void {
    const rejected = new Set(refused.map(({ code }) => code));
    for (const code of new Set([...known, ...states.keys(), ...newestOf.keys()])) {
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
    const codesIn = (state: AssetState): AssetCode[] =>
      [...states].filter(([, one]) => one === state).map(([code]) => code);
    const counts = Object.fromEntries(STATES.map((state) => [state, codesIn(state).length])) as Record<
      AssetState,
      number
    >;
    const problems = new Map<AssetState | "still", string>();
    const named = (state: AssetState): string => {
      const codes = codesIn(state);
      return codes.length > NAMED ? `${codes.slice(0, NAMED).join(", ")} …` : codes.join(", ");
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
