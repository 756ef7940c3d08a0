// One contestant in a process of its own: it answers each message with the time of the answer, and its text if wanted.
import { collectGarbage, millisecondsOf } from "../support/timing.ts";
import { startDuckdb } from "./duckdb.ts";
import type { Query } from "./minutes.ts";
import { startOurs } from "./ours.ts";
import { startPlain } from "./plain.ts";

/** The cost is the mean over as many answers as fit into this time. */
const LEAST_MS = 50;

const [name, home = ""] = process.argv.slice(2);
const ours = name === "ours" ? startOurs() : undefined;
const answer = ours?.answer ?? (name === "duckdb" ? await startDuckdb(home) : startPlain());

process.on("message", async ({ query, withText }: { readonly query: Query; readonly withText: boolean }) => {
  process.send!(withText ? { milliseconds: 0, text: Buffer.from(await answer(query)).toString() } : { milliseconds: await meanMs(query) });
});
process.send!(ours?.figures ?? {});

async function meanMs(query: Query): Promise<number> {
  collectGarbage();
  let [count, total] = [0, 0];
  for (; total < LEAST_MS; count++) total += await millisecondsOf(() => answer(query));
  return total / count;
}
