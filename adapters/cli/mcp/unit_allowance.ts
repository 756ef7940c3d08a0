import { createHash, randomUUID } from "node:crypto";
import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { CliContext } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { countOf } from "../text_table.ts";

/** The units that questions may cost on a day in UTC. Both methods throw if too few units are left. */
export type UnitAllowance = ReturnType<typeof createUnitAllowance>;

/** Allows any number of units. */
export const UNLIMITED: UnitAllowance = { demand: async () => undefined, take: async () => undefined };

/**
 * Counts units in a file for each day and account. The files are in the user's state directory, so all processes of the
 * user share them. The server's own count is not enough: it includes other users of the same key, and some servers do
 * not report it.
 *
 * Each unit is a line with an id, appended in one write. Only the first `units` lines count, so no lock is needed.
 *
 * @param account A server and a key.
 */
export function createUnitAllowance(
  units: number,
  account: readonly string[],
  { clock, environment: { XDG_STATE_HOME: state, HOME: home } }: Pick<CliContext, "clock" | "environment">,
) {
  // A relative directory would depend on where the assistant is started.
  const base = state && isAbsolute(state) ? state : join(home || homedir(), ".local", "state");
  const folder = join(base, "mazaneh", "mcp-units");
  const name = createHash("sha256").update(account.join("\n")).digest("hex").slice(0, 32);
  const fileOfToday = (): string => `${name}.${new Date(clock()).toISOString().slice(0, 10)}`;

  async function linesIn(file: string): Promise<readonly string[]> {
    return (await readFile(join(folder, file), "latin1").catch(() => "")).split("\n").slice(1);
  }

  function refuseBeyond(used: number, requests: number): void {
    if (used + requests <= units) return;
    const left = Math.max(0, units - used);
    throw wrongUsage(
      `This would cost ${countOf(requests, "unit")}, but only ${left} of the ${units} that --units allows a day (UTC) ${left === 1 ? "is" : "are"} left`,
    );
  }

  return {
    /** Checks that enough units are left for this many requests. Takes none. */
    async demand(requests: number): Promise<void> {
      refuseBeyond((await linesIn(fileOfToday())).length, requests);
    },
    /** Takes a unit. To be called before each request. */
    async take(): Promise<void> {
      const [file, id] = [fileOfToday(), randomUUID()];
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // The line feed comes first, so that a line cut short by a crash does not spoil the next one.
      await appendFile(join(folder, file), `\n${id}`, { mode: 0o600 });
      const place = (await linesIn(file)).indexOf(id);
      refuseBeyond(place < 0 ? units : place, 1);
      if (place > 0) return;
      const old = (await readdir(folder)).filter((one) => one.startsWith(name) && one < file);
      await Promise.all(old.map((one) => rm(join(folder, one), { force: true })));
    },
  };
}
