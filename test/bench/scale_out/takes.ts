import { once } from "node:events";
import { runRounds } from "../support/rounds.ts";
import type { Standings } from "../support/rounds.ts";
import { startProgram } from "../support/server.ts";
import type { StartOptions } from "../support/server.ts";
import type { LedgersOrder, TakesOrder } from "./takes_child.ts";

/** The source of the process that takes. */
export const TAKER = "test/bench/scale_out/takes_child.ts";

/** The ledgers side by side. */
export interface Takes {
  /** Measures the microseconds on the clock for a take, of so many accounts in turn. */
  measure(accounts: number, rounds: number, order: Pick<TakesOrder, "seconds" | "callers">): Promise<Standings>;
}

/** Starts the process that takes, which opens the ledgers and checks that they count the same. */
export async function startTaking(program: string, options: StartOptions, order: LedgersOrder): Promise<Takes> {
  const taker = startProgram([program], options);
  await once(taker.child, "message"); // It is ready.
  const names = (await taker.ask(order)) as readonly string[];
  return {
    measure(accounts, rounds, { seconds, callers }) {
      const run = (ledger: string) => async (): Promise<number> => Number(await taker.ask({ ledger, accounts, seconds, callers } satisfies TakesOrder));
      return runRounds(names.map((name) => ({ name, run: run(name) })), { rounds });
    },
  };
}
