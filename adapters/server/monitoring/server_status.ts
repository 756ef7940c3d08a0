import type { MirrorStatus } from "../../feeds/mirror/mod.ts";
import type { ReadinessReport } from "./readiness.ts";

/** The state of a running server, as plain fields. */
export interface ServerStatus extends ReadinessReport {
  readonly version: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly url: string | null;
  /** `null` where there is no admin listener. */
  readonly adminUrl: string | null;
  /** Records in the store, of every status; `null` while the store does not tell. */
  readonly records: number | null;
  /** Business time of the newest record; `null` where there is none. */
  readonly newestRecord: string | null;
  readonly newestRecordAgeSeconds: number | null;
  /** Places in the log of observations that could not be read. */
  readonly damages: number | null;
  /** When the last backup was taken that lacks nothing; `null` where none is known. */
  readonly lastBackup: string | null;
  /** Requests since the start; `null` where they are not counted, as there is no admin listener. */
  readonly requests: number | null;
  readonly connections: number;
  readonly inFlight: number;
  readonly eventLoopDelayMs: number;
  readonly diskFreeBytes: number | null;
  readonly memoryBytes: number;
  /** Lines that the logs have lost. */
  readonly linesLost: number;
  /** `null` where the server is no mirror, and while its store cannot be written. */
  readonly mirror: MirrorStatus | null;
}

/** Whether a value from another process is the status of a server. */
export function isServerStatus(value: unknown): value is ServerStatus {
  return typeof value === "object" && value !== null && "ready" in value && "reasons" in value;
}
