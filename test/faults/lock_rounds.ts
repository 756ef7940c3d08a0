import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { createRandom, type TrialOfProgram, type TrialResult } from "./random_trial.ts";

interface Reply {
  readonly won: boolean;
  readonly reason: string;
}

const CONTENDERS = 8;
const SILENCE_MS = 20_000;

/** Lets eight processes take a directory at the same time, round after round; winners let go of it or are killed. */
export async function contend({ program, directory, seed, rounds, enough }: TrialOfProgram): Promise<TrialResult> {
  const random = createRandom(seed);
  const children = Array.from({ length: CONTENDERS }, () => fork(program, { execArgv: [] }));
  const counts = { rounds: 0, winners: 0, refused: 0, kills: 0 };
  const violations: string[] = [];
  try {
    for (let data = join(directory, "0"); counts.rounds < rounds && violations.length < enough; counts.rounds++) {
      // A directory that others have owned, or a new one.
      if (random.chance(0.3)) data = join(directory, String(counts.rounds));
      const replies = await Promise.all(children.map((child) => command(child, data)));
      const won = replies.flatMap(({ won }, i) => (won ? [i] : []));
      counts.winners += won.length;
      counts.refused += replies.length - won.length;
      if (won.length !== 1) violations.push(`round ${counts.rounds}: ${won.length} winners`);
      const expected = won.map((i) => `owned by ${children[i]!.pid}`);
      for (const { won, reason } of replies)
        if (!won && !expected.includes(reason))
          violations.push(`round ${counts.rounds}: ${reason}, not ${expected.join()}`);

      for (const i of won) {
        if (random.chance(0.5)) {
          const { reason } = await command(children[i]!, null);
          if (reason !== "closed") violations.push(`round ${counts.rounds}: the owner does not let go: ${reason}`);
          continue;
        }
        counts.kills++;
        const gone = once(children[i]!, "exit");
        children[i]!.kill("SIGKILL");
        await gone;
        children[i] = fork(program, { execArgv: [] });
      }
    }
  } finally {
    for (const child of children) child.kill("SIGKILL");
  }
  return { ...counts, violations };
}

/** Tells a contender what to do; gives its reply, also when it dies instead. */
async function command(child: ChildProcess, directory: string | null): Promise<Reply> {
  const reply = once(child, "message") as Promise<[Reply]>;
  const death = once(child, "exit").then(() => ({ won: false, reason: "died" }));
  const silence = delay(SILENCE_MS, { won: false, reason: "no reply" }, { ref: false });
  child.send(directory as never, () => {}); // One that has died gets no message.
  return Promise.race([reply.then(([first]) => first), death, silence]);
}
