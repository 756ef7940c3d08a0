/**
 * Loads a file of the page when it is wanted: `loadFile(() => import("./guide/view.ts"))`. May be called again after a failure.
 *
 * Chromium remembers a failed import as long as the page is open, but names the address in its message. With another
 * query it is another file to the browser, and the same to the server. Firefox and Safari just ask again.
 */
export async function loadFile<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (thrown) {
    const [address] = /https?:\S+\.js$/.exec(thrown instanceof Error ? thrown.message : "") ?? [];
    if (address === undefined) throw fileFailure(thrown);
    try {
      return (await import(`${address}?again=${Date.now()}`)) as Module; // the same file, so of the same type
    } catch (thrownAgain) {
      throw fileFailure(thrownAgain);
    }
  }
}

/** A failure that `explain` knows. */
function fileFailure(cause: unknown): Error {
  return Object.assign(new Error(String(cause), { cause }), { code: "FILE_NOT_LOADED" });
}
