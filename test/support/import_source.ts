import { register } from "node:module";
import { pathToFileURL } from "node:url";

// Node 20 loads no TypeScript by itself, and the bundles of the tests have only the modules that they import by name.
register("./typescript_hook.mjs", import.meta.url);

/** Imports a module by its path. It may import sources of the project. */
export async function importSource(path: string): Promise<Record<string, unknown>> {
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}
