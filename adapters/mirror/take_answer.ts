import { dateOfDayNumber } from "../../core/internal.ts";
import { filled, isComplete, refreshed } from "../../core/mirror/mod.ts";
import type { Budget, MirrorState, PaidAct, Wanted } from "../../core/mirror/mod.ts";
import type { Asset, Clock, Observation, UtcMillis } from "../../core/mod.ts";
import { checkRecords } from "./check_records.ts";
import type { MirrorObservations } from "./options.ts";
import type { Reports } from "./reports.ts";

/** What the records of an answer are stored with. */
export interface TakerParts {
  readonly catalog: ReadonlyMap<string, Asset>;
  readonly provider: string;
  readonly observations: MirrorObservations;
  readonly clock: Clock;
  readonly reports: Reports;
}

/** More records are no answer of this API: a catalog has some hundred assets, and a range 32 days. */
const MAX_RECORDS = 10_000;

/** The target of a request for history. */
export function historyPath({ code, from, to }: Wanted): string {
  return `/api/v1/assets/${encodeURIComponent(code)}/history?from=${dateOfDayNumber(from)}&to=${dateOfDayNumber(to)}`;
}

/**
 * Makes the function that stores the good records of an answer and returns the state after that; a text says what is wrong
 * with the answer as a whole. `now` is the upstream's time.
 */
export function createTaker({ catalog, provider, observations, clock, reports }: TakerParts) {
  async function store(batch: readonly Observation[]): Promise<void> {
    const size = observations.maxBatch ?? Infinity;
    for (let from = 0; from < batch.length; from += size) await observations.append(batch.slice(from, from + size));
  }

  return async (state: MirrorState, act: PaidAct, { body, budget }: { readonly body: unknown; readonly budget: Budget }, now: UtcMillis): Promise<MirrorState | string> => {
    if (!Array.isArray(body)) return "The answer is not a list of records";
    if (body.length > MAX_RECORDS) return `The answer has ${body.length} records, more than the API has assets or days`;
    const wanted = act.kind === "history" ? act : undefined;
    const around = observations.around.bind(observations);
    const found = await checkRecords(body, { catalog, provider, around, pending: state.pending, now: clock() }, wanted);
    await store(found.batch);
    reports.checked(found);
    const after = { ...state, pending: found.pending };
    if (!wanted) {
      if (found.codes.length === 0) return body.length === 0 ? "The answer has no records" : "No record of the answer could be used";
      return refreshed(after, found.codes, { budget, now });
    }
    const next = filled(after, wanted, { oldest: found.oldest, isDoubtful: found.doubts.length > 0, now });
    const [before, known] = [state.archive.get(wanted.code), next.archive.get(wanted.code)];
    if (known && isComplete(known) && !(before && isComplete(before))) reports.complete(wanted.code);
    return next;
  };
}
