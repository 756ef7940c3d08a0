import { PriceError } from "../../client/mod.ts";

/**
 * Loads a file of the page when it is wanted: `loadFile(() => import("./coins/view.tsx"))`. May be called again after a failure,
 * which `explain` knows: a server that is away, or one of another version, which has files of other names.
 */
export async function loadFile<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    throw new PriceError({ code: "FILE_NOT_LOADED", status: 0, message: String(cause) }, { cause });
  }
}
