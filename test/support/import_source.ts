import { register } from "node:module";
import { pathToFileURL } from "node:url";

// Programs in the documents import the TypeScript sources, not the compiled modules; Node 20 needs a hook for that.
register("./typescript_hook.mjs", import.meta.url);

/** Imports a module by its path. It may import sources of the project. */
export async function importSource(path: string): Promise<Record<string, unknown>> {
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}
