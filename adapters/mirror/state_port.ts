import type { MaybePromise } from "../../core/mod.ts";

/** Where a mirror keeps what it must not forget, most of all the units that it has spent. */
export interface MirrorStateStore {
  /** What `save` was given last, a JSON value; `undefined` if there is nothing. */
  load(): MaybePromise<unknown>;
  /** Stores a JSON value in place of the last one. Returns when it outlives a crash: only then is the request made that it counts. */
  save(state: object): MaybePromise<void>;
}

/** A state that ends with the process: for tests, and where a restart may spend units anew. */
export function memoryMirrorState(): MirrorStateStore {
  let text: string | undefined;
  return {
    load: () => (text === undefined ? undefined : JSON.parse(text)),
    save(state) {
      text = JSON.stringify(state);
    },
  };
}
