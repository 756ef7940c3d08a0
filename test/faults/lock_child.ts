import { systemClock } from "../../adapters/http/web_system.ts";
import { type JsonFileStore, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";

// A process that takes the directory of a message, or lets go of it; see lock_rounds.ts.

let store: JsonFileStore | undefined;

process.on("message", async (directory: string | null) => {
  if (directory === null) {
    await store?.close();
    store = undefined;
    process.send?.({ won: false, reason: "closed" });
    return;
  }
  try {
    store = await openJsonFiles(directory, { clock: systemClock });
    process.send?.({ won: true, reason: "" });
  } catch (error) {
    const { name, owner } = error as { name: string; owner?: { pid: number } };
    process.send?.({ won: false, reason: name === "DirectoryInUse" ? `owned by ${owner?.pid}` : String(error) });
  }
});
