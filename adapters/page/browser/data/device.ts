// The browser's storage. If storage is forbidden, full or damaged, choices last until the page is closed.

/** Where a value is kept: in the tab while it is open, or on the device until it is forgotten. */
export type Keep = "tab" | "device";

/** Reads the value that is stored under a name. */
export function readStored(name: string, keep: Keep = "device"): unknown {
  try {
    return JSON.parse(storageOf(keep).getItem(`mazaneh.${name}`) ?? "null");
  } catch {
    return undefined;
  }
}

/** Stores a value under a name; `undefined` removes the stored value. */
export function writeStored(name: string, value: unknown, keep: Keep = "device"): void {
  try {
    if (value === undefined) storageOf(keep).removeItem(`mazaneh.${name}`);
    else storageOf(keep).setItem(`mazaneh.${name}`, JSON.stringify(value));
  } catch {
    // The page works without storage: the visitor only has to choose or type again.
  }
}

type Texts = {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
};

declare const sessionStorage: Texts, localStorage: Texts; // the tests lack the browser's types

/** Throws if the browser forbids storage: then even reading `localStorage` throws. */
function storageOf(keep: Keep): Texts {
  return keep === "tab" ? sessionStorage : localStorage;
}

const PLACES = ["tab", "device"] as const;

/** Reads the stored key and where it is kept. */
export function readKey(): { readonly key: string | undefined; readonly keep: Keep } {
  for (const keep of PLACES) {
    const key = readStored("key", keep);
    if (typeof key === "string" && key !== "") return { key, keep };
  }
  return { key: undefined, keep: "tab" };
}

/** Keeps a key in one place only; without a key, all places are cleared. */
export function keepKey(key: string | undefined, keep: Keep): void {
  for (const place of PLACES) writeStored("key", place === keep ? key : undefined, place);
}
