import { connectOrOpen, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { KeyId } from "../../core/branded_types.ts";
import { NOW } from "./json_files_fixtures.ts";

// A child process for tests of the JSON-file store. The arguments name a task. It sends a message after each step, and
// ends when the task is done.

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
  case "revoke": {
    const store = await connectOrOpen(directory, { clock });
    await store.update([{ op: "key.revoke", id: rest[0] as KeyId, at: NOW }]);
    await store.close();
    process.send?.("revoked");
    process.disconnect?.();
    break;
  }
  default:
    throw new Error(`Unknown task: "${task}"`);
}
