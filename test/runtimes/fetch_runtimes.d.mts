/** See fetch_runtimes.mjs. */
export function fetchRuntime(name: string): string | undefined;
