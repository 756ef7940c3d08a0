import type { AccountBook } from "../../core/mod.ts";
import { importsThrough, openAccountStore, openJsonFiles, readAccountBook } from "../json_files/mod.ts";
import type { OptionTable } from "./args.ts";
import type { CliContext } from "./command.ts";
import { wrongUsage } from "./failure.ts";
import { absolutePath, hasDataDirectory, hasStore, makeDataDirectory } from "./make_directory.ts";
import { settingsInForce } from "./settings_sources.ts";
import type { Environment } from "./settings_sources.ts";
import { createSession } from "./store_session.ts";
import type { Acts } from "./store_session.ts";

/** Whether a command makes a missing store if `--init` is given (`made`), or always wants one that is there (`there`). */
export type Wanted = "made" | "there";

/** What commands do with a store that is open as a whole. */
type StoreActs = "append" | "removeProvider" | "coverage" | "book" | "update" | "compact" | "imports" | "pointInTime";

/** The option of the commands that can make a store: without it, a misspelt directory would become a new one. */
export const INIT_OPTION = {
  init: { kind: "switch", summary: "Make a new store if there is none in the data directory" },
} as const satisfies OptionTable;

type Options = Readonly<Record<string, unknown>>;

const MISSING_ADVICE = "check --data, or mount it";
const INIT_ADVICE = "check --data, or make a new store with --init";

/**
 * Runs `act` with the store in the data directory. When a server holds it, the store is reached through
 * that server, so that changes are in force there at once.
 */
export async function withStore<Value>(
  options: Options,
  context: CliContext,
  wanted: Wanted,
  act: (store: Acts<StoreActs>) => Promise<Value>,
): Promise<Value> {
  const { clock, terminal } = context;
  const data = await storeDirectory(options, context, wanted);
  const { use, close } = createSession<StoreActs>(data, open, terminal);
  try {
    return await act({
      append: (batch) => use((store) => store.append(batch)),
      removeProvider: (provider) => use((store) => store.removeProvider(provider)),
      coverage: (codes) => use((store) => store.coverage(codes)),
      book: () => use((store) => store.book()),
      update: (changes) => use((store) => store.update(changes)),
      compact: () => use((store) => store.compact()),
      imports: importsThrough(use),
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
  context: CliContext,
  wanted: Wanted,
  act: (accounts: Acts<"book" | "update">) => Promise<Value>,
): Promise<Value> {
  const { clock, terminal } = context;
  const data = await storeDirectory(options, context, wanted);
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
  return readAccountBook(await dataDirectory(options, environment));
}

/** The data directory that the settings name, for commands that only read. Throws a failure when there is none. */
export async function dataDirectory(options: Options, environment: Environment): Promise<string> {
  const { data } = (await settingsInForce(options, environment)).values;
  if (!(await hasDataDirectory(data))) throw wrongUsage(`There is no data directory "${data}"; ${MISSING_ADVICE}`);
  return data;
}

/** As `dataDirectory`, for commands that open the store: the directory holds one, or is ready for a new one. */
export async function storeDirectory(options: Options, { environment, terminal }: CliContext, wanted: Wanted): Promise<string> {
  const { data } = (await settingsInForce(options, environment)).values;
  await demandStore(data, { init: wanted === "made" && options["init"] === true, advice: wanted === "made" ? INIT_ADVICE : MISSING_ADVICE }, terminal);
  return data;
}

/**
 * Throws a failure unless there is a store in `data`. With `init`, makes the directory for a new one instead, and
 * names it, as a relative path may lead elsewhere than its user believes.
 */
export async function demandStore(
  data: string,
  { init, advice = INIT_ADVICE }: { readonly init: boolean; readonly advice?: string },
  { note }: Pick<CliContext["terminal"], "note">,
): Promise<void> {
  if (await hasStore(data)) return;
  const path = absolutePath(data);
  if (!init) throw wrongUsage(`There is no store in "${path}"; ${advice}`);
  await makeDataDirectory(data);
  note(`Making a new store in "${path}".`);
}
