import type { AccountBook } from "../../core/mod.ts";
import { openAccountStore, openJsonFiles, readAccountBook } from "../json_files/mod.ts";
import type { CliContext } from "./command.ts";
import { wrongUsage } from "./failure.ts";
import { hasDataDirectory, makeDataDirectory } from "./make_directory.ts";
import { settingsInForce } from "./settings_sources.ts";
import type { Environment } from "./settings_sources.ts";
import { createSession } from "./store_session.ts";
import type { Acts } from "./store_session.ts";

/** Whether a command creates a missing data directory (`made`) or fails without one (`there`). */
export type Wanted = "made" | "there";

/** What commands do with a store besides its accounts. */
type StoreActs = "append" | "coverage" | "pointInTime";

type Options = Readonly<Record<string, unknown>>;

/**
 * Runs `act` with the store in the data directory. When a server holds it, the store is reached through
 * that server, so that changes are in force there at once.
 */
export async function withStore<Value>(
  options: Options,
  { environment, clock, terminal }: CliContext,
  wanted: Wanted,
  act: (store: Acts<StoreActs>) => Promise<Value>,
): Promise<Value> {
  const data = await dataDirectory(options, environment, wanted);
  const { use, close } = createSession<StoreActs>(data, open, terminal);
  try {
    return await act({
      append: (batch) => use((store) => store.append(batch)),
      coverage: (codes) => use((store) => store.coverage(codes)),
      pointInTime: () => use((store) => store.pointInTime()),
    });
  } finally {
    await close();
  }

  async function open(): Promise<Acts<StoreActs> & { close(): Promise<void> }> {
    const { access, close } = await openJsonFiles(data, { clock });
    return { ...access, close };
  }
}

/**
 * Runs `act` with the accounts in the data directory, as `withStore` does, but without loading observations.
 * A change that does not fit the book is a usage failure.
 */
export async function withAccounts<Value>(
  options: Options,
  { environment, clock, terminal }: CliContext,
  wanted: Wanted,
  act: (accounts: Acts<"book" | "update">) => Promise<Value>,
): Promise<Value> {
  const data = await dataDirectory(options, environment, wanted);
  const { use, close } = createSession<"book" | "update">(data, () => openAccountStore(data, { clock }), terminal);
  try {
    return await act({ book: () => use((store) => store.book()), update: (changes) => use((store) => store.update(changes)) });
  } catch (error) {
    throw error instanceof RangeError ? wrongUsage(error.message) : error;
  } finally {
    await close();
  }
}

/** Reads the book of accounts in the data directory, for commands that change nothing. */
export async function readBook(options: Options, { environment }: CliContext): Promise<AccountBook> {
  return readAccountBook(await dataDirectory(options, environment, "there"));
}

/** The data directory that the settings name. Makes it if it may, and throws a failure if it must be there and is not. */
export async function dataDirectory(options: Options, environment: Environment, wanted: Wanted): Promise<string> {
  const { data } = (await settingsInForce(options, environment)).values;
  if (wanted === "made") await makeDataDirectory(data);
  // Otherwise a misspelt directory would be created, and then reported as empty.
  if (wanted === "there" && !(await hasDataDirectory(data))) {
    throw wrongUsage(`There is no data directory "${data}"; serve, import and keys create make one`);
  }
  return data;
}
