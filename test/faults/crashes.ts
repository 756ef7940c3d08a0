import { dirname } from "node:path";
import type { JsonFileStore } from "../../adapters/stores/json_files/mod.ts";
import { createRandom, type Random } from "../support/seeded_random.ts";
import { broken, copyOfPromises, noPromises, type Promises, readAll } from "./acknowledged_writes.ts";
import { createFaultFs, type Faults } from "./fault_fs.ts";
import type { Trial, TrialResult } from "./random_trial.ts";
import { createDisk, type DiskOp, emptyDisk, type Image } from "./simulated_disk.ts";
import { work } from "./workload.ts";

/** A state of the disk after a power cut, and the promises that it must keep. */
export interface CrashState {
  readonly image: Image;
  readonly promises: Promises;
}

/** Collects the crash states of a run. */
export interface Recorder {
  readonly record: (op: DiskOp) => void;
  /** Sets the store whose content is read before each change of the disk. */
  readonly opened: (store: JsonFileStore) => void;
  /** All states, including the current ones. */
  states(): readonly CrashState[];
}

const STATES_AT_ONCE = 8;
const PHASES = 3;

/** Makes a recorder for a disk. Before each change of the disk, the recorder collects up to `limit()` states. */
export function createRecorder({ image, promises }: CrashState, limit: () => number, random: Random): Recorder {
  const disk = createDisk(image);
  const found: CrashState[] = [];
  let store: JsonFileStore | undefined;
  let changed = true;
  let recorded = "";

  function collect(): void {
    const most = limit();
    if (most === 0) return;
    if (store) readAll(store, promises);
    const record = JSON.stringify([
      promises.acts.map(({ answered }) => answered),
      promises.plans,
      [...promises.units],
      promises.seen,
      promises.closed,
    ]);
    if (!changed && record === recorded) return;
    changed = false;
    recorded = record;
    const copy = copyOfPromises(promises);
    for (const state of disk.crashStates(most, random)) found.push({ image: state, promises: copy });
  }

  return {
    record(op) {
      collect();
      if (disk.apply(op)) changed = true;
    },
    opened: (opened) => (store = opened),
    states() {
      collect();
      return found;
    },
  };
}

/**
 * Runs random work on in-memory disks, and opens every crash state that the disk model yields. Each run starts with a
 * crash state of the previous run, so that some crashes happen during recovery. Some runs first work for a long time,
 * and examine only the states at the end.
 */
export async function exploreCrashes({ directory, seed, rounds, enough }: Trial): Promise<TrialResult> {
  const violations: string[] = [];
  let [states, runs] = [0, 0];
  while (states < rounds && violations.length < enough) {
    const random = createRandom(seed * 1_000 + runs);
    const segmentBytes = random.pick([700, 3_000, 1 << 26]);
    let from: CrashState = { image: emptyDisk(dirname(directory)), promises: noPromises() };
    for (let phase = 0; phase < PHASES; phase++) {
      runs++;
      const promises = copyOfPromises(from.promises);
      const isLong = phase === 0 && random.chance(0.5);
      let most = isLong ? 0 : STATES_AT_ONCE;
      const recorder = createRecorder({ image: from.image, promises }, () => most, random);
      const disk = createFaultFs(from.image, { record: recorder.record, before: shortWrites(random) });
      const ended = await work({
        directory,
        disk,
        promises,
        random,
        segmentBytes,
        steps: random.below(isLong ? 40 : 8),
        opened: recorder.opened,
      });
      most = STATES_AT_ONCE;
      const found = recorder.states();
      for (const problem of [...(ended.refused ? [ended.refused] : []), ...ended.fatal, ...ended.violations])
        violations.push(`run ${runs}: ${String(problem)}`);
      for (const [i, { image, promises }] of found.entries()) {
        const problems = await broken({ directory, disk: createFaultFs(image), promises, segmentBytes }, i % 4 === 0);
        if (problems.length > 0) violations.push(`run ${runs}, state ${i}: ${problems.join("; ")}`);
        if (violations.length >= enough) return { states, runs, violations };
        states++;
      }
      from = random.pick(found);
    }
  }
  return { states, runs, violations };
}

/** Some writes write only a part of their bytes, without an error. */
function shortWrites(random: Random): NonNullable<Faults["before"]> {
  return (call) => (call === "write" && random.chance(0.1) ? 1 + random.below(200) : undefined);
}
