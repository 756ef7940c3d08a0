import { dirname } from "node:path";
import { createRecorder } from "./crashes.ts";
import { emptyDisk } from "./disk.ts";
import type { Image } from "./disk.ts";
import { createFaultFs } from "./fault_fs.ts";
import { passTime } from "./pass_time.ts";
import { createRandom } from "./trial.ts";
import type { Found, Trial } from "./trial.ts";
import { work } from "./workload.ts";
import { broken, copyOfPromises, noPromises } from "./promises.ts";
import type { Promises } from "./promises.ts";

const STEPS = 12;
const SEGMENT_BYTES = 1_500;
/** Twice what the script writes. */
const LARGEST = 40_000;

/**
 * Runs a script on disks of every size, from one that is full at once to one that never is; on each the
 * disk gets room again in the middle. Answers that were given hold, what was refused left nothing behind.
 */
export async function fillDisks({ directory, seed, rounds: sizes, enough }: Trial): Promise<Found> {
  const counts = { sizes: 0, unopened: 0, states: 0 };
  const violations: string[] = [];
  const start = await begun(directory, seed);
  const least = sizeOf(start.image);
  for (; counts.sizes < sizes && violations.length < enough; counts.sizes++) {
    const random = createRandom(seed);
    const chosen = createRandom(counts.sizes);
    const promises = copyOfPromises(start.promises);
    let capacity = least + Math.round((LARGEST * counts.sizes) / sizes);
    let steps = 0;
    const between = (): void => {
      passTime(6_000);
      if (++steps === STEPS / 2) capacity += LARGEST;
    };
    const recorder = createRecorder(start.image, promises, () => (chosen.chance(0.1) ? 2 : 0), chosen);
    const disk = createFaultFs(start.image, { capacity: () => capacity, record: recorder.record });
    const answeredBefore = answeredIn(promises);
    const ended = await work({ directory, disk, promises, random, segmentBytes: SEGMENT_BYTES, steps: STEPS, opened: recorder.opened, between });
    promises.closed = false;
    if (ended.refused) counts.unopened++;
    else if (answeredIn(promises) === answeredBefore) violations.push(`${capacity} bytes: does not go on when there is room again`);
    for (const problem of [...ended.fatal, ...ended.violations]) violations.push(`${capacity} bytes: ${String(problem)}`);
    for (const { image, promises: kept } of [...recorder.states(), { image: disk.image(), promises }]) {
      counts.states++;
      const problems = await broken({ directory, disk: createFaultFs(image), promises: kept, segmentBytes: SEGMENT_BYTES }, true);
      violations.push(...problems.map((problem) => `${capacity} bytes: ${problem}`));
    }
  }
  return { ...counts, violations };
}

async function begun(directory: string, seed: number): Promise<{ image: Image; promises: Promises }> {
  const disk = createFaultFs(emptyDisk(dirname(directory)));
  const promises = noPromises();
  await work({ directory, disk, promises, random: createRandom(seed + 1), segmentBytes: SEGMENT_BYTES, steps: 2 });
  return { image: disk.image(), promises };
}

function answeredIn({ batches }: Promises): number {
  return batches.filter(({ answered }) => answered).length;
}

function sizeOf({ names, contents }: Image): number {
  return [...names.values()].reduce((sum: number, entry) => sum + (entry === "directory" ? 0 : contents.get(entry)!.length), 0);
}
