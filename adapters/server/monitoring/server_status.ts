import type { MirrorStatus } from "../../feeds/mirror/mod.ts";
import type { ReadinessReport } from "./readiness.ts";

/** The state of a running server. */
export interface ServerStatus extends ReadinessReport {
  readonly version: string;
  readonly pid: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly url: string | null;
  /** `null` if there is no admin listener. */
  readonly adminUrl: string | null;
  /** Records of every status; `null` while unknown. */
  readonly records: number | null;
  /** Business time of the newest record; `null` if there is none. */
  readonly newestRecord: string | null;
  readonly newestRecordAgeSeconds: number | null;
  /** Time of the last complete backup; `null` if none is known. */
  readonly lastBackup: string | null;
  /** Requests since the start; `null` if they are not counted, as there is no admin listener. */
  readonly requests: number | null;
  readonly connections: number;
  readonly inFlight: number;
  readonly eventLoopDelayMs: number;
  readonly diskFreeBytes: number | null;
  readonly memoryBytes: number;
  readonly linesLost: number;
  /** `null` if the server is not a mirror, and while its store cannot be written. */
  readonly mirror: MirrorStatus | null;
}

/** Whether a value from another process is the status of a server. */
export function isServerStatus(value: unknown): value is ServerStatus {
  return typeof value === "object" && value !== null && "ready" in value && "reasons" in value;
}
