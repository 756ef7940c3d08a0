import { openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { NOW } from "./json_files_fixtures.ts";

// A child process for tests of the JSON-file store. The arguments are a task and a directory.

const [task, directory = ""] = process.argv.slice(2);
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
  default:
    throw new Error(`Unknown task: "${task}"`);
}
