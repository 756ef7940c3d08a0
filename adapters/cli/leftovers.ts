import { readdir } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { Terminal } from "./terminal.ts";

/**
 * Names what an interrupted run has left beside a file or directory that is to be written. It is not removed: only the
 * owner knows that no other run is writing it.
 */
export async function noteLeftovers(path: string, { note }: Pick<Terminal, "note">): Promise<void> {
  const directory = dirname(resolve(path));
  const names = await readdir(directory).catch(() => []); // Whoever writes there says what is wrong.
  const isLeftover = (name: string): boolean => name.startsWith(`${basename(path)}.`) && /^\.[0-9a-f]{16}\.tmp$/.test(name.slice(basename(path).length));
  for (const name of names.filter(isLeftover)) note(`An interrupted run has left "${resolve(directory, name)}": remove it, unless another one is writing it just now`);
}
