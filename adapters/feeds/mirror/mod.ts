/**
 * A mirror keeps a store filled from an upstream of this API, within a number of requests a day: `startMirror`.
 * `mazaneh serve --mirror URL` is this with the JSON files store, whose `mirrorStateFile` keeps the state.
 *
 * @module
 */

export type { Mirror } from "./mirror.ts";
export { MAX_WISHED_DAYS, startMirror } from "./mirror.ts";
export type { MirrorEvent, MirrorObservations, MirrorOptions, MirrorStateStore } from "./mirror_options.ts";
export type { ArchiveStatus, MirrorStatus } from "./mirror_status.ts";
export type { MirrorDay } from "./planner/mod.ts";
