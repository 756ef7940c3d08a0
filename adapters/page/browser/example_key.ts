// The key of examples that are copied: a key that everybody may see, or a word in its place.
import type { PageSettings } from "../page_settings.ts";

/** The word that a reader replaces with a key. */
export const YOUR_KEY = "YOUR_KEY";

/** The demo key while it is in use, or none is needed. A key of their own is never shown: people take pictures of examples. */
export function exampleKey({ key, settings: { demoKey } }: { readonly key: string | undefined; readonly settings: Pick<PageSettings, "demoKey"> }): string {
  return demoKey !== undefined && (key === "" || key === demoKey) ? demoKey : YOUR_KEY;
}

/** The line before commands of a POSIX shell that read the key from the variable KEY. */
export function exportLine(key: string): string {
  return `export KEY=${/^\w+$/.test(key) ? key : `'${key.replaceAll("'", "'\\''")}'`}`;
}
