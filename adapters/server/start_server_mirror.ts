import { type Mirror, type MirrorOptions, startMirror } from "../feeds/mirror/mod.ts";
import type { Store } from "../stores/shared/store.ts";
import { StoreError } from "../stores/shared/store_error.ts";
import type { Log } from "./monitoring/server_log.ts";

/** The mirror of a server. */
export type MirrorSettings = Pick<MirrorOptions, "upstream" | "key" | "codes" | "unitsADay">;

/** The parts of a server that its mirror uses. */
type MirrorPlace = Pick<MirrorOptions, "assets" | "marketTimeZone" | "canStore" | "onJudged"> & {
  readonly store: Store;
  readonly log: Log | undefined;
};

const CONFIG = 78;

/** Starts a mirror that fills the store of a server. */
export async function startMirrorOf(
  settings: MirrorSettings,
  { store, log, ...ofServer }: MirrorPlace,
): Promise<Mirror> {
  const { imports } = store;
  if (!store.mirrorState || !imports)
    throw new StoreError(
      "Cannot mirror into this store because it has no place for the state of a mirror; use a data directory",
      CONFIG,
    );
  return startMirror({
    ...settings,
    ...ofServer,
    observations: {
      ...store.observations,
      references: imports.references,
      countPending: imports.countPending,
      around: async (code, businessTime) => (await imports.around([{ code, businessTime }]))[0]!,
    },
    state: store.mirrorState(settings.upstream),
    onEvent: ({ level, kind, message }) => log?.write({ level, event: "mirror", message, code: kind }),
    onAttributionRequired: () => requireAttribution(store, log),
  });
}

/** Makes all plans require attribution, as the upstream does. Called once, so later changes by the operator stay. */
async function requireAttribution({ accounts }: Pick<Store, "accounts">, log: Log | undefined): Promise<void> {
  const { plans } = await accounts.book();
  const without = plans.filter(({ attributionRequired }) => !attributionRequired);
  if (without.length === 0) return;
  await accounts.update(without.map(({ name }) => ({ op: "plan.patch", name, attributionRequired: true })));
  const names = without.map(({ name }) => name).join(", ");
  const message = `The upstream's data must be credited: attribution is now required on the plans ${names}`;
  log?.write({ level: "info", event: "mirror", message, code: "attribution" });
}
