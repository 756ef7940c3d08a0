import type { MaybePromise } from "../../core/mod.ts";
import type { Engine, StoreAccess, StoreReader } from "../stores/shared/engine.ts";
import type { CliContext } from "./command.ts";
import { wrongUsage } from "./command_failure.ts";
import { chooseEngine } from "./engines/engine.ts";
import { commandNotes } from "./setting_conflicts.ts";
import type { SettingsInForce } from "./settings_sources.ts";

/** The calls with which a command uses the store of its settings. */
export type StoreCalls = ReturnType<typeof accessTo>;

/** Makes the calls for a command with these options. Each throws a failure if there is no store and no `--init`. */
export function accessTo(
  settings: SettingsInForce,
  options: Readonly<Record<string, unknown>>,
  context: Pick<CliContext, "terminal" | "clock" | "environment">,
) {
  /** Finds the engine of the store. */
  async function findEngine(): Promise<Engine> {
    for (const note of commandNotes(settings, context.environment)) context.terminal.note(note);
    const engine = await chooseEngine(settings, context);
    const init = options["dry-run"] === true ? undefined : options["init"];
    await engine.demand?.(init as boolean | undefined);
    return engine;
  }

  /** Runs `work` with the store. Running servers apply the changes of `work` at once. */
  async function withStore<Value>(work: (store: StoreAccess) => Promise<Value>): Promise<Value> {
    const store = await (await findEngine()).reach();
    return work(store).finally(store.close);
  }

  /** Runs `work` with the accounts, like `withStore`. Throws a usage failure for a refused change. */
  function withAccounts<Value>(work: (accounts: Pick<StoreAccess, "book" | "update">) => MaybePromise<Value>) {
    return withStore(async (accounts) => {
      try {
        return await work(accounts);
      } catch (error) {
        throw error instanceof RangeError ? wrongUsage(error.message) : error;
      }
    });
  }

  /** Runs `work` with a reader of the store. */
  async function withReader<Value>(work: (reader: StoreReader, engine: Engine) => Promise<Value>): Promise<Value> {
    const engine = await findEngine();
    const reader = await engine.read();
    return work(reader, engine).finally(reader.close);
  }

  return { findEngine, withStore, withAccounts, withReader };
}
