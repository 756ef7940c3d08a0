import type { ApiRequest, MaybePromise } from "../../../core/mod.ts";
import { isPromise } from "../support/in_process.ts";
import type { RequestMaker } from "../support/in_process.ts";
import { collectGarbage } from "../support/timing.ts";

/** A function that answers requests. The status and the length of the answer are read, as an adapter must. */
export type Answering = (request: ApiRequest) => MaybePromise<{ readonly status: number; readonly body: string | Uint8Array }>;

/**
 * Nanoseconds of processor time for an answer, without the time for making the request.
 *
 * @param makers Requests in turn.
 * @param milliseconds How long to measure, about.
 */
export async function nanosecondsEach(answering: Answering, makers: readonly RequestMaker[], milliseconds: number): Promise<number> {
  collectGarbage();
  // Warm-up turns, which also tell how many to measure: the runs of others have evicted the optimised code.
  const guess = await nanosecondsOf(answering, makers, roundsOf(makers, 20));
  const warm = await nanosecondsOf(answering, makers, roundsOf(makers, (milliseconds * WARM_SHARE * 1e6) / guess));
  const count = roundsOf(makers, (milliseconds * 1e6) / warm);
  const answered = await nanosecondsOf(answering, makers, count);
  return answered - (await nanosecondsOf(nothing, makers, count));
}

const WARM_SHARE = 0.4;

/** Rounds up, so that each maker has the same number of turns. */
function roundsOf(makers: readonly RequestMaker[], count: number): number {
  return Math.ceil(count / makers.length) * makers.length;
}

const NOTHING = { status: 0, body: "" };

function nothing(): typeof NOTHING {
  return NOTHING;
}

async function nanosecondsOf(answering: Answering, makers: readonly RequestMaker[], count: number): Promise<number> {
  let bytes = 0;
  let wrong = 0;
  const before = process.cpuUsage();
  const began = performance.now();
  for (let i = 0, turn = 0; i < count; i++) {
    const maker = makers[turn]!;
    if (++turn === makers.length) turn = 0;
    const given = answering(maker.make());
    const { status, body } = isPromise(given) ? await given : given;
    bytes += typeof body === "string" ? Buffer.byteLength(body) : body.byteLength;
    if (status !== maker.status) wrong++;
  }
  const elapsed = performance.now() - began;
  const { user, system } = process.cpuUsage(before);
  if (answering !== nothing && (wrong > 0 || bytes === 0)) throw new Error(`${wrong} of ${count} answers had another status than expected`);
  // Processor time where it is precise enough; short runs need the clock.
  return ((elapsed > 20 ? Math.min(elapsed * 1_000, user + system) : elapsed * 1_000) * 1_000) / count;
}
