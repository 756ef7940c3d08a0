import type { Asset, AssetCode, UtcMillis } from "../../../core/mod.ts";
import { createAssetWatch } from "./asset_watch.ts";
import type { StoredRecords } from "./check_records.ts";
import type { MirrorEvent } from "./mirror_options.ts";
import { type MirrorMoment, type MirrorStatus, type Observed, statusOf } from "./mirror_status.ts";

type Settings = Readonly<{
  upstream: string;
  provider: string;
  catalog: ReadonlyMap<string, Asset>;
  startedAt: UtcMillis;
  onEvent: (event: MirrorEvent) => void;
}>;

const [SHOWN, MAX_REPORTED] = [20, 200];
/** An answer may have thousands of bad records. At most this many of a kind are logged one by one. */
const NAMED = 5;

/** Keeps the facts that the status needs besides the mirror's state, and reports each event once. */
export function createReports({ upstream, provider, catalog, startedAt, onEvent }: Settings) {
  const watch = createAssetWatch(catalog);
  let trouble: Observed["trouble"];
  let otherUnits: string | null = null;
  let historyTrouble: string | null = null;
  let refused: MirrorStatus["refused"] = { count: 0, last: [] };
  const requests: Record<string, number> = {};
  /** The kinds of asset problems that have been reported and are not over. */
  let known = new Set<string>();
  let last: MirrorStatus["state"] = "late";
  /** The messages reported so far. An upstream may repeat the same record in each answer. */
  const reported = new Set<string>();

  function once(level: MirrorEvent["level"], kind: MirrorEvent["kind"], message: string): void {
    if (reported.has(message)) return;
    if (reported.size >= MAX_REPORTED) reported.clear();
    reported.add(message);
    onEvent({ level, kind, message });
  }

  /** Reports records of an answer: the first one by one, the others as a count. */
  function records(kind: "refused" | "pending", messages: readonly string[]): void {
    for (const message of messages.slice(0, NAMED)) once("warn", kind, message);
    const others = messages.length - NAMED;
    if (others > 0) once("warn", kind, `Records of an answer that are also ${kind}: ${others} more`);
  }

  function status(moment: MirrorMoment): MirrorStatus {
    return {
      ...{ upstream, provider, requests: { ...requests }, refused, historyTrouble },
      ...statusOf(moment, { trouble, otherUnits, startedAt, assets: watch.report() }),
    };
  }

  return {
    status,
    once,
    /** Reports new problems with assets, and changes of the state. */
    reportState(moment: MirrorMoment): void {
      const { problems } = watch.report();
      for (const [kind, message] of problems) if (!known.has(kind)) onEvent({ level: "warn", kind: "assets", message });
      known = new Set(problems.keys());
      const { state, message, until } = status(moment);
      if (state === last) return;
      const end = until === null ? "" : `, until ${until} or earlier`;
      if (state === "running") onEvent({ level: "info", kind: state, message: "The mirror runs" });
      else onEvent({ level: "warn", kind: state, message: `The mirror is ${state}${end}: ${message}` });
      last = state;
    },
    answered: (outcome: string) => void (requests[outcome] = (requests[outcome] ?? 0) + 1),
    failing: (message: string, now: UtcMillis) => void (trouble = { message, since: trouble?.since ?? now }),
    works: () => void (trouble = undefined),
    history(message: string | null): void {
      historyTrouble = message;
      if (message !== null)
        once("warn", "history", `Only requests for history fail, and are repeated later: ${message}`);
    },
    /**
     * Notes the records of an answer; after a refresh, `assets` are those that the upstream has had so far. Returns a
     * message if most of the latest values are in another unit.
     */
    stored(stored: StoredRecords, assets: Iterable<AssetCode> | undefined, now: UtcMillis): string | null {
      const { otherUnits: codes, refused: bad, newlyPending, dropped } = stored;
      if (assets) {
        const message = `The upstream quotes ${codes.length} assets in another unit than this server, so their values are refused: ${codes.slice(0, 5).join(", ")}`;
        otherUnits = codes.length > stored.newestOf.size ? message : null;
        watch.note(stored, assets, now);
      }
      refused = { count: refused.count + bad.length, last: [...refused.last, ...bad].slice(-SHOWN) };
      const reasons = bad.map(({ code, reason }) => `A record of "${code}" from the upstream was refused: ${reason}`);
      records("refused", reasons);
      const doubts = newlyPending.map(({ code, qualityMessage }) => `${code} is kept as PENDING: ${qualityMessage}`);
      const full = `${dropped} of ${doubts.length} doubtful values were dropped, as too many are pending: decide about these`;
      // It is unknown which of the values were dropped.
      records("pending", dropped > 0 ? [full] : doubts);
      return otherUnits;
    },
  };
}
