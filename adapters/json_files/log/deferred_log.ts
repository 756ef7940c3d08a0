import { Unavailable } from "../../../core/mod.ts";
import type { Health } from "../errors.ts";
import type { Log, LogEnd } from "./log.ts";

/**
 * Makes a log that is not open for writing yet, because its files could not be prepared for it, e.g. on a full disk.
 * Each append tries `open` first, and is refused while that fails.
 *
 * @param end Where the log ends, as it was read.
 */
export function createDeferredLog(health: Health, end: LogEnd, open: () => Promise<Log>): Log {
  let log: Log | undefined;
  let opening: Promise<Log> | undefined;

  async function opened(): Promise<Log> {
    health.demand();
    try {
      log = await (opening ??= open());
      return log;
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      throw new Unavailable(`Nothing can be written: ${String(error)}`, 5, { cause: error });
    } finally {
      opening = undefined;
    }
  }

  return {
    append: async (lines, publish) => (log ?? (await opened())).append(lines, publish),
    rotate: async () => (log ?? (await opened())).rotate(),
    ready: async () => (log ?? (await opened())).ready(),
    position: () => (log ? log.position() : { segment: end.segment, length: end.length }),
    end: () => log?.end() ?? end,
    async close() {
      await opening?.catch(() => {});
      await log?.close();
    },
  };
}
