// Browser storage for modules that use it.

/** Installs empty storage, or storage that throws as if the browser forbids it. */
export function withStorage(kind: "allowed" | "forbidden" = "allowed"): {
  readonly tab: Map<string, string>;
  readonly device: Map<string, string>;
} {
  const [tab, device] = [new Map<string, string>(), new Map<string, string>()];
  for (const [name, held] of [
    ["sessionStorage", tab],
    ["localStorage", device],
  ] as const) {
    const storage = {
      getItem: (key: string) => held.get(key) ?? null,
      setItem: (key: string, text: string) => void held.set(key, text),
      removeItem: (key: string) => void held.delete(key),
    };
    const get = (): typeof storage => {
      if (kind === "forbidden") throw new Error("SecurityError");
      return storage;
    };
    Object.defineProperty(globalThis, name, { configurable: true, get });
  }
  return { tab, device };
}
