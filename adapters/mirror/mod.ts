/**
 * A mirror keeps a store filled from an upstream of this API, within a number of requests a day: `startMirror`.
 * `mazaneh serve --mirror URL` is this with the JSON files store, whose `mirrorStateFile` keeps the state.
 *
 * @module
 */
export { startMirror } from "./mirror.ts";
export type { Mirror } from "./mirror.ts";
export type { MirrorObservations, MirrorOptions } from "./options.ts";
export type { MirrorEvent } from "./events.ts";
export { memoryMirrorState } from "./state_port.ts";
export type { MirrorStateStore } from "./state_port.ts";
export type { ArchiveStatus, MirrorStatus } from "./status.ts";
export type { RefusedRecord } from "./check_records.ts";
export type { Neighbours } from "../../core/internal.ts";
