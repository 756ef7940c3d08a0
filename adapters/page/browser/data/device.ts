// What is kept in the browser. A storage that is forbidden, full or damaged counts as empty: then a choice lasts until the page is closed.

/** Where something is kept until it is forgotten: in the tab, as long as that is open, or on the device. */
export type Keep = "tab" | "device";

/** Reads what is kept under a name. */
export function readStored(name: string, keep: Keep = "device"): unknown {
  try {
    return JSON.parse(storageOf(keep).getItem(`mazaneh.${name}`) ?? "null");
  } catch {
    return undefined;
  }
}

/** Keeps a value; `undefined` forgets it. */
export function writeStored(name: string, value: unknown, keep: Keep = "device"): void {
  try {
    if (value === undefined) storageOf(keep).removeItem(`mazaneh.${name}`);
    else storageOf(keep).setItem(`mazaneh.${name}`, JSON.stringify(value));
  } catch {
    // Nothing is lost but a convenience.
  }
}

type TextStorage = {
  getItem(name: string): string | null;
  setItem(name: string, text: string): void;
  removeItem(name: string): void;
};

declare const sessionStorage: TextStorage, localStorage: TextStorage; // the types of tests have none

/** Asking for a storage throws where it is forbidden. */
function storageOf(keep: Keep): TextStorage {
  return keep === "tab" ? sessionStorage : localStorage;
}

const PLACES = ["tab", "device"] as const;

/** Reads the key that was kept, and where it is. */
export function readKey(): { readonly key: string | undefined; readonly keep: Keep } {
  for (const keep of PLACES) {
    const key = readStored("key", keep);
    if (typeof key === "string" && key !== "") return { key, keep };
  }
  return { key: undefined, keep: "tab" };
}

/** Keeps a key in one place and in no other; without a key, everything is forgotten. */
export function keepKey(key: string | undefined, keep: Keep): void {
  for (const place of PLACES) writeStored("key", place === keep ? key : undefined, place);
}
