import { inTime } from "../shared/answer_in_time.ts";
import type { StoreWatcher } from "../shared/store.ts";
import type { Trouble } from "../shared/store_troubles.ts";
import type { Connection } from "./connection.ts";
import type { Schema } from "./schema.ts";

/** A database that has not answered a look-up of one row for so long is not fit to serve. */
const LIMIT_MS = 2_000;

/** Watches whether the database answers, and takes changes, by reading one row of it. */
export function watchPostgres({ query }: Pick<Connection, "query">, schema: Schema): StoreWatcher {
  const probe = `SELECT current_setting('transaction_read_only') AS readonly FROM ${schema.sql}.book`;
  let found: readonly Trouble[] = [];
  let probing: Promise<void> | undefined;

  async function sweep(): Promise<void> {
    try {
      const [row] = await query<{ readonly: string }>(probe, []);
      found = row?.readonly === "on" ? [{ code: "store-read-only", message: "The database takes no changes" }] : [];
    } catch (error) {
      found = [unreachable(error instanceof Error ? error.message : String(error))];
    }
  }

  return {
    troubles: () => found,
    async sweep() {
      // One that has no answer yet is waited for, so that they do not pile up.
      probing ??= sweep().finally(() => (probing = undefined));
      await inTime(probing, LIMIT_MS, () => {
        found = [unreachable(`no answer within ${LIMIT_MS / 1_000} seconds`)];
      });
    },
  };
}

function unreachable(reason: string): Trouble {
  return { code: "store-unreachable", message: `The database cannot be reached: ${reason}` };
}
