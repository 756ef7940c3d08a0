import type { Probe } from "./http_probe.ts";

/** The result of a check: right, wrong with advice, or unknown because it cannot be checked from outside. */
export interface CheckResult {
  readonly is: "right" | "wrong" | "unknown";
  readonly found: string;
  readonly todo?: string;
}

/** The server to check. */
export interface CheckedServer {
  readonly ask: Probe;
  readonly url: URL;
  readonly key: string | undefined;
  readonly now: () => number;
}

/** Checks one property of a server. */
export type Check = (server: CheckedServer) => Promise<CheckResult>;

export const STATUS = "/api/v1/status";
export const ACCESS = "/api/v1/access";
export const CATALOG = "/api/v1/assets/supported";

export const right = (found: string): CheckResult => ({ is: "right", found });
export const wrong = (found: string, todo: string): CheckResult => ({ is: "wrong", found, todo });
export const unknown = (found: string): CheckResult => ({ is: "unknown", found });
