import type { AccountBook, MaybePromise } from "../../core/mod.ts";
import type { Engine, StoreAccess, StoreReader } from "../stores/shared/engine.ts";
import type { CliContext } from "./command.ts";
import { wrongUsage } from "./command_failure.ts";
import { type OptionTable, switchOption } from "./parse_arguments.ts";
import { commandNotes } from "./setting_conflicts.ts";
import type { SettingsInForce } from "./settings_sources.ts";

/** The option of commands that can make a store. Without `--init`, a misspelt directory does not become a store. */
export const INIT_OPTION = {
  init: switchOption("Make a new store if there is none in the data directory"),
} as const satisfies OptionTable;

/** The input of a command: its options, its context and the settings. */
interface CommandInput {
  readonly options: Readonly<Record<string, unknown>>;
  readonly context: CliContext;
  readonly settings: SettingsInForce;
}

/** Finds the engine that the settings name. If there is no store, throws a failure unless `--init` is given. */
export async function engineFor({ options, context, settings }: CommandInput): Promise<Engine> {
  for (const note of commandNotes(settings, context.environment)) context.terminal.note(note);
  const engine = await context.engine(settings, context);
  await engine.demand?.(options["init"] as boolean | undefined);
  return engine;
}

/** Runs `work` with the store. Running servers apply the changes of `work` at once. */
export async function withStore<Value>(
  given: CommandInput,
  work: (store: StoreAccess, engine: Engine) => Promise<Value>,
): Promise<Value> {
  const engine = await engineFor(given);
  return closing(await engine.reach(), (store) => work(store, engine));
}

/** Runs `work` with the accounts, like `withStore`. Throws a usage failure for a refused change. */
export async function withAccounts<Value>(
  given: CommandInput,
  work: (accounts: Pick<StoreAccess, "book" | "update">) => MaybePromise<Value>,
): Promise<Value> {
  return withStore(given, async (accounts) => {
    try {
      return await work(accounts);
    } catch (error) {
      throw error instanceof RangeError ? wrongUsage(error.message) : error;
    }
  });
}

/** Runs `work` with a reader of the store. */
export async function withReader<Value>(
  given: CommandInput,
  work: (reader: StoreReader, engine: Engine) => Promise<Value>,
): Promise<Value> {
  const engine = await engineFor(given);
  return closing(await engine.read(), (reader) => work(reader, engine));
}

/** Reads the accounts, plans and keys. */
export function readBook(given: CommandInput): Promise<AccountBook> {
  return withReader(given, async (reader) => reader.book());
}

async function closing<Opened extends { close(): Promise<void> }, Value>(
  opened: Opened,
  work: (opened: Opened) => Promise<Value>,
): Promise<Value> {
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}
