import type { MirrorStatus } from "../../feeds/mirror/mod.ts";
import type { ReadinessReport } from "./readiness.ts";

/** The state of a running server. */
export interface ServerStatus extends ReadinessReport {
  readonly version: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly url: string | null;
  /** The URL of the admin listener; `null` if there is none. */
  readonly adminUrl: string | null;
  /** The number of records, whatever their status; `null` while unknown. */
  readonly records: number | null;
  /** Business time of the newest record; `null` if there is none. */
  readonly newestRecord: string | null;
  readonly newestRecordAgeSeconds: number | null;
  /** Time of the last complete backup; `null` if none is known. */
  readonly lastBackup: string | null;
  /** The number of requests since the start; `null` without an admin listener, because none are counted then. */
  readonly requests: number | null;
  readonly connections: number;
  readonly inFlight: number;
  readonly eventLoopDelayMs: number;
  readonly diskFreeBytes: number | null;
  readonly memoryBytes: number;
  readonly linesLost: number;
  /** `null` if the server is not a mirror, or while its store is not writable. */
  readonly mirror: MirrorStatus | null;
}

/** Whether a value that another process sent is a server status. */
export function isServerStatus(value: unknown): value is ServerStatus {
  return typeof value === "object" && value !== null && "ready" in value && "reasons" in value;
}
