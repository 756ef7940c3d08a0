/**
 * A mirror fills a store from an upstream of this API, within a number of requests a day: `startMirror`. `mazaneh serve
 * --mirror URL` uses it with the JSON files store, whose `mirrorStateFile` keeps the state.
 *
 * @module
 */

export { startMirror } from "./mirror.ts";
export type { Mirror, MirrorEvent, MirrorObservations, MirrorOptions, MirrorStateStore } from "./mirror_options.ts";
export type { ArchiveStatus, MirrorStatus } from "./mirror_status.ts";
export { MAX_WISHED_DAYS, type MirrorDay } from "./planner/mod.ts";
