import { readFileSync } from "node:fs";
import type { Environment } from "./settings_sources.ts";

/** How often the processes between npm and this one are looked at. */
const EVERY_MS = 500;
/** Processes between npm and this one at most: a shell, and a program that runs TypeScript with its own child. */
const MAX_LEVELS = 4;

/**
 * Resolves when npm, which has started this process by `npm start` or `npx`, has ended without passing its signal on:
 * npm dies of SIGHUP, and the shell that it starts of SIGTERM, and the server would be left running. Never resolves
 * for a process that npm has not started, nor, where there is no /proc, for the end of any process but the parent.
 */
export function npmEnded({ npm_command: command }: Environment): Promise<void> {
  return new Promise((resolve) => {
    // Set in each process that is below npm, however far.
    const chain = command === undefined ? [] : chainToNpm();
    if (chain.length === 0) return;
    const timer = setInterval(() => {
      if (isWhole(chain)) return;
      clearInterval(timer);
      resolve();
    }, EVERY_MS);
    timer.unref();
  });
}

/** The processes from this one's parent up to npm; none where npm is no near ancestor, e.g. above a daemon that it has started. */
function chainToNpm(): readonly number[] {
  const chain = [process.ppid];
  for (;;) {
    const above = stateOf(chain.at(-1)!);
    if (above === undefined) return process.platform === "linux" ? [] : chain.slice(0, 1);
    if (above.name.startsWith("npm ")) return chain;
    if (chain.length === MAX_LEVELS) return [];
    chain.push(above.parent);
  }
}

/** Whether each process of the chain still is the parent of the one before: one whose parent ends gets another. */
function isWhole(chain: readonly number[]): boolean {
  return chain.every((pid, at) => pid === (at === 0 ? process.ppid : stateOf(chain[at - 1]!)?.parent));
}

/** The name and the parent of a process, as Linux tells them; `undefined` where it is not there. */
function stateOf(pid: number): { readonly name: string; readonly parent: number } | undefined {
  try {
    const [, name, parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "latin1")) ?? [];
    return name === undefined ? undefined : { name, parent: Number(parent) };
  } catch {
    return undefined;
  }
}
