import { type AppendOutcome, type Asset, createIngestUnknown, type Observation } from "../../../core/mod.ts";
import { reasonOf, siftSuspicious } from "../../feeds/suspicious_prices.ts";
import type { Engine } from "../../stores/shared/engine.ts";
import { MAX_PENDING } from "../../stores/shared/imports.ts";
import type { CliContext } from "../command.ts";
import { CommandFailure, EXIT, type ExitCode } from "../command_failure.ts";
import type { OptionTable } from "../parse_arguments.ts";
import { ReaderGone } from "../terminal.ts";
import { formatCount } from "../text_table.ts";
import type { FormatOptions } from "../../intake/tables/detect_dialect.ts";
import { followStream } from "./follow_stream.ts";
import { unreadInWords } from "../../intake/tables/open_questions.ts";
import { createRetryingStore } from "./retrying_store.ts";
import { watchUnknownCodes } from "./unknown_codes.ts";

/** The option that makes `import` follow standard input. */
export const FOLLOW_OPTION = {
  follow: {
    kind: "switch",
    summary: "Store the lines of standard input as they come, and acknowledge them on standard output",
  },
} as const satisfies OptionTable;

/** What the help of `import` says of streams. */
export const FOLLOW_DETAILS = `With --follow, a program in any language feeds prices in, line by line, through the running server:

  collector | mazaneh import - --follow

The lines are CSV with a header, or NDJSON. Each batch of at most 200 ms is stored, and then
acknowledged by a line such as
  {"acknowledged":120,"accepted":118,"replaced":0,"unchanged":1,"refused":[{"line":7,"reason":"…"}]}
which says that the first 120 lines of the stream are on the disk or were refused; refused are those
since the last acknowledgement. After a crash, send again what comes after the last one acknowledged.
Without a server, and while it or a database restarts, the command waits and reads no more than a
batch. It ends at the end of the stream or SIGTERM, when all whole lines it has read are stored; a
last line without a line end is not. A stream has no number among the imports: withdraw takes
records back. A value that cannot be right by what is known of the market is stored as PENDING,
which nobody is served, until somebody decides. Where ${formatCount(MAX_PENDING)} wait, further ones are not stored:
acknowledgements count them as kept.`;

/** What the command line and the settings say of a stream. */
export interface FollowSetting {
  readonly engine: Engine;
  readonly formats: FormatOptions;
  readonly assets: readonly Asset[];
}

/** Notes on values that wait: a feed may bring others for ever. */
const MAX_REPORTED = 100;
const KEPT = `standard input: of these, some are not stored, as ${formatCount(MAX_PENDING)} wait: acknowledgements count them as kept.`;
const STOPPING = "Stopping when all lines that were read are stored. Another signal stops at once.";

/** Follows standard input until it ends or a signal arrives; resolves to the exit code. */
export async function runFollow(
  { terminal, clock, stopSignal }: CliContext,
  { engine, formats, assets }: FollowSetting,
): Promise<ExitCode> {
  const note = (line: string): void => terminal.note(line);
  let isStopped = false;
  let lastAcknowledged = 0;
  const signal = stopSignal(({ event, message, stack }) =>
    note(event === "stopping" ? STOPPING : `mazaneh: ${stack ?? message}`),
  );
  const stop = signal.then(() => void (isStopped = true));
  const store = createRetryingStore(engine, { note, stop });
  let pending: readonly Observation[] = [];
  const reported = new Set<string>();
  const checked = createIngestUnknown({ clock, observations: { ...store, append }, assets });
  const unknownCodes = watchUnknownCodes(assets);
  const ingest: typeof checked = async (records) => {
    const outcome = await checked(records);
    for (const { index } of outcome.refused) unknownCodes.see(records[index]);
    return outcome;
  };
  try {
    const { acknowledged, refused, failure, isCut } = await followStream(terminal.input, {
      ...{ formats, ingest, stop },
      reading: (text) => note(`standard input: read as: ${text}`),
      acknowledge(acknowledgement) {
        lastAcknowledged = acknowledgement.acknowledged;
        return terminal.write(`${JSON.stringify(acknowledgement)}\n`);
      },
    });
    if (failure !== undefined) throw new CommandFailure(`standard input: ${unreadInWords(failure)}`, EXIT.data);
    const unknown = unknownCodes.advice();
    if (unknown !== undefined) note(unknown);
    if (isCut) note("standard input: the last line has no line end and was not stored");
    note(`standard input: ${formatCount(acknowledged)} lines acknowledged, ${formatCount(refused)} refused`);
    return !isStopped && (isCut || refused > 0) ? EXIT.data : EXIT.done;
  } catch (error) {
    if (!(error instanceof ReaderGone))
      note(
        `standard input: ${formatCount(lastAcknowledged)} lines acknowledged; what came after them may not be stored`,
      );
    throw error;
  } finally {
    await store.close();
  }

  async function append(batch: readonly Observation[]): Promise<AppendOutcome> {
    const sifted = await siftSuspicious(batch, { pending, around: store.around });
    const outcome = await store.append(sifted.batch);
    pending = sifted.pending;
    for (const suspicious of sifted.suspicious) {
      const text = `${suspicious.code} ${reasonOf(suspicious)}`;
      if (reported.size < MAX_REPORTED && !reported.has(text))
        note(`standard input: ${text}. Such values wait as PENDING until somebody decides.`);
      reported.add(text);
    }
    if (outcome.kept && !reported.has(KEPT)) note(KEPT);
    if (outcome.kept) reported.add(KEPT);
    return outcome;
  }
}
