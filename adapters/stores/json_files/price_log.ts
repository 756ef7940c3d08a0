import type { Entry } from "../price_state/entries.ts";
import { createPriceState, type PriceState } from "../price_state/price_state.ts";
import type { Folder } from "./data_directory.ts";
import { decodeEntry } from "./log/entry_line.ts";
import { OBSERVATIONS } from "./log/log_base.ts";
import { type ReadLog, type ReadPlan, readLog } from "./log/read_log.ts";

/** The log of prices: its folder, its store, and the marks. */
type PriceFiles = Omit<Folder, "health"> & Pick<ReadPlan<Entry>, "storeId" | "marks">;

/** Reads the entries of the price log in order, without changing anything. */
export function readPriceLog(
  { fs, directory, storeId, marks }: PriceFiles,
  take: (entry: Entry, sequence: number) => void,
): Promise<ReadLog> {
  return readLog<Entry>(fs, directory, { kind: OBSERVATIONS, storeId, marks, decode: decodeEntry, accept: take });
}

/** Reads the prices of a log, without changing anything. */
export async function readPrices(files: PriceFiles): Promise<{ readonly state: PriceState; readonly read: ReadLog }> {
  const state = createPriceState();
  const read = await readPriceLog(files, state.load);
  state.finishLoading();
  return { state, read };
}
