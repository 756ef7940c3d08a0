import { join } from "node:path";
import type { AccountFile } from "./accounts.ts";
import type { FileSystem } from "./fs.ts";
import type { Imports } from "./imports/imports.ts";
import { readImports } from "./imports/list.ts";
import type { StoreAccess } from "./lock/control.ts";
import { whileUncompacted } from "./log/base.ts";
import type { HighWaterMarks } from "./log/high_water.ts";
import type { LogPosition } from "./log/log.ts";
import type { OpenedLog } from "./log/open_log.ts";
import type { Compactor } from "./maintenance/compact.ts";
import { logFilesAt } from "./maintenance/point_in_time.ts";
import type { Manifest } from "./manifest.ts";
import { OBSERVATIONS } from "./observations.ts";
import type { ObservationLog } from "./observations.ts";
import type { QuotaLog } from "./quota/quota.ts";
import { removeProvider } from "./remove_provider.ts";

/** The parts of an open store. */
export interface AccessParts {
  readonly fs: FileSystem;
  readonly directory: string;
  readonly describe: (() => unknown) | undefined;
  readonly manifest: Manifest;
  readonly marks: HighWaterMarks;
  readonly generation: number;
  readonly observations: ObservationLog;
  readonly opened: OpenedLog;
  readonly compactor: Compactor;
  readonly accounts: AccountFile;
  readonly quota: QuotaLog;
  readonly imports: Imports;
}

/** The store for callers to whom it does not matter which process holds it. */
export function createAccess({ fs, directory, describe, manifest, marks, generation, observations, opened, compactor, accounts, quota, imports }: AccessParts): StoreAccess {
  const { storeId } = manifest;
  return {
    append: observations.append,
    removeProvider: (provider) => removeProvider(observations, provider),
    coverage: async (codes) => observations.coverage(codes),
    book: async () => accounts.book(),
    update: accounts.update,
    used: async (account, day) => quota.used(account, day),
    usage: async () => quota.usage(),
    info: async () => ({ storeId, pid: process.pid, generation, version: await observations.version(), damages: opened.damages.length }),
    status: async () => describe?.(),
    compact: compactor.compact,
    pointInTime: () =>
      whileUncompacted(fs, join(directory, "obs"), async () => {
        // Before the logs are listed, so that no log ends below its mark.
        const before = Object.entries(marks.all());
        // For the same reason before the logs of their notes.
        const documents = await readImports(fs, join(directory, "imports"), storeId);
        let document = accounts.document();
        const files = await logFilesAt(fs, directory, async () => {
          await quota.settled();
          // Nothing is awaited from here on, so that accounts and logs are of the same moment.
          document = accounts.document();
          return new Map<string, LogPosition>([[OBSERVATIONS, opened.log.position()], ...quota.positions(), ...imports.positions()]);
        });
        // Of a day whose files were removed meanwhile, the mark was dropped.
        const highWater = Object.fromEntries(before.filter(([kind]) => marks.of(kind)));
        return { manifest: { ...manifest, highWater }, accounts: document, imports: documents, files };
      }),
    imports,
  };
}
