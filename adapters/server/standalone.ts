import { ASSETS, createApi, createRequestRate, type RequestRate, type Settings } from "../../core/mod.ts";
import type { Mirror } from "../feeds/mirror/mod.ts";
import { type IngestRoute, ingestRoute } from "../feeds/push/mod.ts";
import { type Address, createNodeServer, type NodeServerOptions, nodeSystem } from "../http/node/mod.ts";
import { type PageRouteSettings, pageRoutes } from "../page/mod.ts";
import type { OpenOptions } from "../stores/shared/engine.ts";
import type { Store } from "../stores/shared/store.ts";
import { startAdminServer } from "./monitoring/admin_server.ts";
import { createOperations, type Operations, type OperationsOptions } from "./monitoring/monitoring.ts";
import { type MirrorSettings, startMirrorOf } from "./start_server_mirror.ts";

/** The settings of the API, of the store and of the server. */
export interface StandaloneOptions
  extends Settings,
    Address,
    Pick<NodeServerOptions, "behindProxy" | "limits">,
    Pick<OperationsOptions, "adminPort" | "feedMaxAgeMinutes" | "log" | "accessLog" | "version">,
    Pick<PageRouteSettings, "isSample" | "demoKey" | "publicMarket"> {
  /** Opens the store. The server closes the store. */
  readonly store: (options: OpenOptions) => Promise<Store>;
  /** The maximum rate of requests for each key, as for `createRequestRate`. Default: `none`. */
  readonly keyRate?: string;
  /** The maximum rate of requests for each address. Default: `none`. */
  readonly addressRate?: string;
  /** Called with each error that caused an answer with 500 or 503. */
  readonly onError?: (error: unknown, requestId: string) => void;
  /** Whether keys with the right to write can push prices to `POST /ingest`. Default: `false`. */
  readonly ingest?: boolean;
  /** The mirror that fills the store. Default: none. */
  readonly mirror?: MirrorSettings | undefined;
}

/** A running server. */
export type Standalone = Awaited<ReturnType<typeof startStandalone>>;

/** Opens the store, makes the API and starts to listen. Does not handle signals; use `stopSignal` for that. */
export async function startStandalone(options: StandaloneOptions) {
  const { host, port, log, adminPort = "none", assets = ASSETS, marketTimeZone = "Asia/Tehran" } = options;
  let operations: Operations | undefined;
  let admin: Awaited<ReturnType<typeof startAdminServer>> | undefined;
  let mirror: Mirror | undefined;
  let ingest: IngestRoute | undefined;
  let server: ReturnType<typeof createNodeServer> | undefined;
  const store = await options.store({
    describe: () => operations?.status(),
    mirrorAgain: (...asked) => mirror?.again(...asked) !== undefined,
    // Changes by a mirror are not logged: it stores records after each request, and logs events of its own.
    onChange: (change) =>
      options.mirror && change.pid === process.pid && change.import === undefined
        ? undefined
        : operations?.changed(change),
  });

  async function stop(): Promise<void> {
    operations?.drain();
    await server?.close();
    await mirror?.close();
    await ingest?.finish().catch(() => undefined); // A failure here loses no acknowledged record.
    await store.close();
    operations?.close();
    // The admin listener is closed last. Until the end, it shows why the server is not ready.
    await admin?.close();
  }

  try {
    operations = createOperations({
      ...options,
      store,
      clock: nodeSystem.clock,
      codes: assets.map(({ code }) => code),
      mirror: () => mirror?.status(),
    });
    const { canServe, onExchange, refusedKey, ...watched } = operations;
    const { observations, accounts, quota, timeLimit } = store;
    const ports = { ...nodeSystem, observations, accounts, quota, timeLimit, canServe };
    const [keyRate, addressRate] = [rateOf(options.keyRate), rateOf(options.addressRate)];
    if (options.ingest) ingest = ingestRoute(store, { ...options, onJudged: watched.judged });
    const own = [...(options.routes ?? []), ...(ingest ? [ingest] : [])];
    const routes = [...own, ...pageRoutes({ ...options, routes: own, observations })];
    const api = createApi({ ...options, routes, ...ports, onRefusedKey: refusedKey, keyRate });
    server = createNodeServer(api, { ...options, ...(onExchange && { onExchange }), addressRate });
    await watched.begin(server.load);
    if (adminPort !== "none") admin = await startAdminServer(adminPort, watched);
    const address = await server.listen({ host, port });
    // The mirror is started last, so that a failed start of the server costs no unit of the upstream.
    const place = { store, assets, marketTimeZone, log, canStore: canServe, onJudged: watched.judged };
    // Without a writable store, a mirror could not keep the records that it receives.
    if (options.mirror && canServe()) mirror = await startMirrorOf(options.mirror, place);
    watched.listening({ url: urlOf(address), adminUrl: admin?.url });
    let stopping: Promise<void> | undefined;
    return {
      address,
      /** The URL of the admin listener; `undefined` if there is none. */
      adminUrl: admin?.url,
      store,
      /** Resolves when the store has failed for good. Then call `stop`, and start a new server. */
      failed: store.failed,
      /** Finishes the open requests, then closes the store. May be called more than once. */
      stop: (): Promise<void> => (stopping ??= stop()),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

function rateOf(text = "none"): RequestRate | undefined {
  return text === "none" ? undefined : createRequestRate(text);
}

/** The URL at which this machine reaches an address. */
export function urlOf({ host, port }: Address): string {
  let reachable = host;
  if (host === "0.0.0.0") reachable = "127.0.0.1";
  if (host === "::") reachable = "::1";
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}
