import { openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { NOW } from "./json_files_fixtures.ts";

// A process that tries to open a store. It sends "won" and holds the store, or sends the name of the error and ends.

try {
  await openJsonFiles(process.argv[2] ?? "", { clock: () => NOW });
  process.send?.("won");
  setInterval(() => {}, 1_000);
} catch (error) {
  process.send?.(error instanceof Error ? error.name : String(error));
  process.disconnect?.();
}
