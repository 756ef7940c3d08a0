import type { Asset, AssetCode } from "../core/mod.ts";
import { mirrorStateFile } from "./json_files/mod.ts";
import type { JsonFileStore, StoreError } from "./json_files/mod.ts";
import { startMirror } from "./mirror/mod.ts";
import type { Mirror } from "./mirror/mod.ts";
import type { Log } from "./operations/log.ts";

/** What the mirror of a server is to do. */
export interface MirrorSettings {
  /** Base URL of the upstream. */
  readonly upstream: string;
  readonly key: string;
  readonly codes?: readonly AssetCode[];
  readonly unitsADay?: number;
  readonly provider?: string;
}

/** What the mirror works with. */
export interface MirrorPlace {
  readonly store: JsonFileStore;
  /** The folder of the store. */
  readonly directory: string;
  readonly assets: readonly Asset[] | undefined;
  readonly log: Log | undefined;
  /** Whether the store can be written. */
  readonly canStore: () => boolean;
  /** Stops the server, which cannot go on. */
  readonly fail: (error: StoreError) => void;
}

/** Starts a mirror that fills the store of a server; `undefined` for a store that is only read, as its disk is full. */
export async function startMirrorOf(settings: MirrorSettings, { store, directory, assets, log, canStore, fail }: MirrorPlace): Promise<Mirror | undefined> {
  if (store.readOnly !== undefined) return undefined;
  return startMirror({
    ...settings,
    ...(assets && { assets }),
    canStore,
    observations: store.observations,
    state: mirrorStateFile(directory, settings.upstream, { onFatal: fail }),
    onEvent: ({ level, kind, message }) => log?.write({ level, event: "mirror", message, code: kind }),
    onAttributionRequired: () => requireAttribution(store, log),
  });
}

/** Passes the upstream's condition on to all plans, once: what the operator says of a plan after that stays. */
async function requireAttribution({ accounts }: JsonFileStore, log: Log | undefined): Promise<void> {
  const without = accounts.book().plans.filter(({ attributionRequired }) => !attributionRequired);
  if (without.length === 0) return;
  await accounts.update(without.map(({ name }) => ({ op: "plan.patch", name, attributionRequired: true })));
  const names = without.map(({ name }) => name).join(", ");
  log?.write({ level: "info", event: "mirror", message: `The upstream's data must be credited: attribution is now required on the plans ${names}`, code: "attribution" });
}
