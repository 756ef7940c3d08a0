import { register } from "node:module";
import { pathToFileURL } from "node:url";

// Programs of the documents import the sources, not the modules that the test runner compiled; Node 20 cannot load them.
register("./typescript_hook.mjs", import.meta.url);

/** Imports a module by its path. It may import sources of the project. */
export async function importSource(path: string): Promise<Record<string, unknown>> {
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}
