// The watch list, kept on the device.
import type { TextStorage } from "../preferences.ts";

const STORED_AS = "mazaneh.watched";

/** Reads the codes that are watched. A forbidden, empty or damaged storage counts as none. */
export function readWatched(storage: () => TextStorage): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(storage().getItem(STORED_AS) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((code): code is string => typeof code === "string") : []);
  } catch {
    return new Set();
  }
}

/** Watches a code, or no more. Where storage is forbidden or full, the list lasts until the page is closed. */
export function toggleWatched(storage: () => TextStorage, watched: ReadonlySet<string>, code: string): ReadonlySet<string> {
  const next = new Set(watched);
  if (!next.delete(code)) next.add(code);
  try {
    storage().setItem(STORED_AS, JSON.stringify([...next]));
  } catch {
    // Nothing is lost but a convenience.
  }
  return next;
}
