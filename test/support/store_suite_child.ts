import { writeSync } from "node:fs";
import { connectOrOpen, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { AccountId, CalendarDate, KeyId } from "../../core/branded_types.ts";
import { NOW } from "./json_files_fixtures.ts";
import { observed } from "./store_suite.ts";

// A process of its own for tests of the JSON-file store: its arguments say what to do, and it reports
// each step with a message, and lives until it is killed or has nothing left to do.

const [task, directory = "", ...rest] = process.argv.slice(2);
const clock = () => NOW;

switch (task) {
  case "hold": {
    await openJsonFiles(directory, { clock });
    process.send?.("held");
    setInterval(() => {}, 1_000);
    break;
  }
  case "try": {
    try {
      await openJsonFiles(directory, { clock });
      process.send?.("won");
      setInterval(() => {}, 1_000);
    } catch (error) {
      process.send?.(error instanceof Error ? error.name : String(error));
      process.disconnect?.();
    }
    break;
  }
  case "write": {
    // Prints a line for each answer: the number of a record, or what came of a take.
    const store = await openJsonFiles(directory, { clock });
    const [limit, first] = rest.map(Number) as [number, number];
    const print = (line: string): void => {
      writeSync(1, `${line}\n`);
      process.send?.(line);
    };
    for (let n = first + 1; ; n++) {
      const taken = Promise.resolve(store.quota.take("alice" as AccountId, "2026-11-21" as CalendarDate, limit));
      await Promise.all([
        store.observations.append([observed(n, n)]).then(() => print(String(n))),
        taken.then(({ granted }) => print(granted ? "granted" : "denied")),
      ]);
    }
  }
  case "revoke": {
    const store = await connectOrOpen(directory, { clock });
    await store.update([{ op: "key.revoke", id: rest[0] as KeyId, at: NOW }]);
    await store.close();
    process.send?.("revoked");
    process.disconnect?.();
    break;
  }
  default:
    throw new Error(`Cannot act as the task is not known: received "${task}"`);
}
