import type { UtcClock } from "../../../core/mod.ts";
import type { AssetOrder, Engine, StoreReader } from "../shared/engine.ts";
import type { Store } from "../shared/store.ts";
import { readAccountBook } from "./accounts.ts";
import { askOwner, connectToServer, type NoteWait, sessionWith, takeDirectory } from "./connect_or_open.ts";
import { diskUse } from "./folder_metrics.ts";
import { observationsThrough, recordsInOrder } from "./lock/market_access.ts";
import type { FullAccess } from "./lock/store_access.ts";
import { verificationOf } from "./maintenance/damage_report.ts";
import { verifyStore } from "./maintenance/verify.ts";
import { eachUsage } from "./quota/read_usage.ts";
import { isReadOnly, readOnlyStore } from "./read_only_store.ts";
import { readJsonFiles } from "./read_store.ts";
import { openJsonFiles } from "./store.ts";

/**
 * The engine of a directory of JSON files. Accesses no file until a method is called.
 *
 * @param noteWait Gets a line when a server waits for a command that uses the directory. Default: servers do not wait.
 */
export function jsonFilesEngine(
  directory: string,
  { clock, noteWait }: { readonly clock: UtcClock; readonly noteWait?: NoteWait },
): Engine {
  const session = (): FullAccess => sessionWith(directory, { clock }, noteWait);
  return {
    ...{ name: directory, directory },
    async open(options = {}) {
      const take = (): Promise<Store> => openJsonFiles(directory, { clock, ...options });
      try {
        return await (noteWait ? takeDirectory(directory, take, noteWait) : take());
      } catch (error) {
        if (!isReadOnly(error)) throw error;
        return readOnlyStore(directory);
      }
    },
    reach: async () => session(),
    read: async () => readerOf(directory),
    verify: async () => verificationOf(await verifyStore(directory)),
    status: () => askOwner(directory, (store) => store.status()),
    mirrorAgain: (...asked) => askOwner(directory, (store) => store.mirrorAgain(...asked)),
    async compact() {
      const store = session();
      return store.compact().finally(store.close);
    },
  };
}

function readerOf(directory: string): StoreReader {
  let server: FullAccess | undefined;
  return {
    book: () => readAccountBook(directory),
    usage: ({ asRecorded = false, ...days } = {}) => eachUsage(directory, { ...days, ...(asRecorded && { open: [] }) }),
    async market() {
      const bytes = () => diskUse(directory);
      server ??= await connectToServer(directory);
      if (server) {
        const { storeId, damages } = await server.market.facts();
        return { storeId, observations: observationsThrough(server.market), damages, bytes };
      }
      const { storeId, state, observations, damages } = await readJsonFiles(directory);
      const records = (order?: AssetOrder) => recordsInOrder(state, order);
      return { storeId, observations: { ...observations, records }, damages, bytes };
    },
    close: async () => server?.close(),
  };
}
