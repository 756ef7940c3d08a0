import { dirname } from "node:path";
import { systemError } from "../support/json_files_fixtures.ts";
import { createRandom } from "../support/seeded_random.ts";
import { stride } from "../support/suite_size.ts";
import { broken, copyOfPromises, noPromises } from "./acknowledged_writes.ts";
import { type CrashState, createRecorder } from "./crashes.ts";
import { type Call, createFaultFs } from "./fault_fs.ts";
import type { Trial, TrialResult } from "./random_trial.ts";
import { emptyDisk } from "./simulated_disk.ts";
import { type Ended, work } from "./workload.ts";

const realNow = performance.now.bind(performance);
let passed = 0;

/** The fault of a call: an error, or a short write after which the disk is full. */
const ERRORS = ["EIO", "ENOSPC", "EMFILE", "short"] as const;
type Failing = (typeof ERRORS)[number];

const STEPS = 5;
const SEGMENT_BYTES = 900;

/** One run of a script with random numbers from `seed`. The n-th call has the fault `failing`; if n is 0, none has. */
interface Attempt {
  readonly directory: string;
  readonly seed: number;
  readonly n: number;
  readonly failing: Failing;
}

/**
 * Runs a script again and again, on an empty disk and on a disk with data. In each run, a different file-system call
 * fails; then a store is opened on the disk, and on states that a power cut could leave. After four rounds, each call
 * has failed with each error.
 */
export async function failEachCall({ directory, seed, rounds, enough }: Trial): Promise<TrialResult> {
  const counts = { calls: 0, failures: 0, states: 0 };
  const violations: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const script = Math.floor(round / ERRORS.length);
    const plain: Attempt = { directory, seed: seed * 100 + script + 1, n: 0, failing: "EIO" }; // Script 1 compacts.
    const fresh: CrashState = { image: emptyDisk(dirname(directory)), promises: noPromises() };
    const once = await runOnce(fresh, plain);
    const again = await runOnce(once, plain);
    for (const { start, calls } of [
      { start: fresh, calls: once.calls },
      { start: once, calls: again.calls },
    ]) {
      counts.calls += calls.length;
      for (const [i, call] of calls.entries()) {
        if (i % stride(3) > 0) continue;
        const errors = ERRORS.filter((failing) => canFail(call, failing));
        if (round % ERRORS.length >= errors.length) continue;
        const failing = errors[(i + round) % errors.length]!;
        const { failed, states, problems } = await runOnce(start, { ...plain, n: i + 1, failing });
        counts.failures++;
        counts.states += states;
        violations.push(
          ...problems.map((problem) => `script ${script}, call ${i + 1} ${failed} ${failing}: ${problem}`),
        );
        if (violations.length >= enough) return { ...counts, violations };
      }
    }
  }
  return { ...counts, violations };
}

interface Tried extends CrashState {
  readonly calls: readonly Call[];
  /** The failed call, with its path. */
  readonly failed: string;
  readonly states: number;
  readonly problems: readonly string[];
}

async function runOnce(start: CrashState, { directory, seed, n, failing }: Attempt): Promise<Tried> {
  const random = createRandom(seed);
  const chosen = createRandom(n);
  const promises = copyOfPromises(start.promises);
  const calls: Call[] = [];
  let failed = "";
  let full = false;
  const recorder = createRecorder(
    { image: start.image, promises },
    () => (failed !== "" && chosen.chance(0.1) ? 3 : 0),
    chosen,
  );

  function before(call: Call, path: string): number | undefined {
    calls.push(call);
    if (full && call === "write") throw systemError("ENOSPC");
    if (calls.length !== n) return undefined;
    failed = `${call} ${path.slice(directory.length)}`;
    if (failing !== "short") throw systemError(failing);
    full = true;
    return 10;
  }

  const disk = createFaultFs(start.image, { before, record: recorder.record });
  // Frees space, and skips the seconds for which the store pauses when the disk is full.
  const between = (): void => {
    passed += 6_000;
    performance.now = () => realNow() + passed;
    full = false;
  };
  const ended = await work({
    directory,
    disk,
    promises,
    random,
    segmentBytes: SEGMENT_BYTES,
    steps: STEPS,
    opened: recorder.opened,
    between,
  });
  const image = disk.image();
  if (n === 0) return { calls, failed, states: 0, problems: [], image, promises };

  promises.closed = false;
  const problems = [...ended.violations, ...misbehaved(failed, failing, ended)];
  const left = [...recorder.states(), { image, promises }];
  for (const [i, state] of left.entries()) {
    const found = await broken(
      { directory, disk: createFaultFs(state.image), promises: state.promises, segmentBytes: SEGMENT_BYTES },
      i === left.length - 1,
    );
    problems.push(...found.map((problem) => `then ${problem}`));
  }
  return { calls, failed, states: left.length, problems, image, promises };
}

function canFail(call: Call, failing: Failing): boolean {
  if (failing === "short") return call === "write";
  if (failing === "EMFILE")
    return call === "open" || call === "openDirectory" || call === "list" || call === "syncDirectory";
  return failing === "EIO" || ["write", "open", "link", "rename", "makeDirectory"].includes(call);
}

/** After a failed sync, the store stops with exit code 70. If a file cannot be opened, the store goes on. */
function misbehaved(failed: string, failing: Failing, { fatal, refused }: Ended): readonly string[] {
  const problems: string[] = [];
  if (refused !== undefined && !(refused instanceof Error)) problems.push(`does not open: ${String(refused)}`);
  if (fatal.length > 1) problems.push(`stops ${fatal.length} times`);
  if (fatal.some(({ exitCode }) => exitCode !== 70)) problems.push(`the store stops with code ${fatal[0]!.exitCode}`);
  if (failing === "EMFILE" && fatal.length > 0) problems.push("the store stops because of a missing file descriptor");
  // The file of a failed compaction is discarded, because the store does not use it yet.
  const isSync =
    failing !== "EMFILE" &&
    !failed.includes("/obs/base-") &&
    /^(?:datasync|sync|syncDirectory) .*\/(?:obs|quota|accounts)/.test(failed);
  if (isSync && fatal.length === 0 && refused === undefined) problems.push("the store continues after a failed sync");
  return problems;
}
