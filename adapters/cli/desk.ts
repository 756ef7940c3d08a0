import { existsSync } from "node:fs";
import type { AccountBook, AccountChange } from "../../core/mod.ts";
import { connectOrOpen } from "../json_files/mod.ts";
import type { StoreAccess } from "../json_files/mod.ts";
import type { Surroundings } from "./command.ts";
import { wrongUsage } from "./failure.ts";
import { settingsInForce } from "./settings_sources.ts";
import type { Environment } from "./settings_sources.ts";

/** Whether a command makes the data directory where there is none, or wants one that is there. */
export type Wanted = "made" | "there";

/**
 * Opens the store that the settings name, lets `act` do its work, and closes it again. A store that a
 * server holds is reached through it, so that what is changed is in force there at once.
 */
export async function withDesk<Value>(
  options: Readonly<Record<string, unknown>>,
  { environment, clock }: Surroundings,
  wanted: Wanted,
  act: (desk: StoreAccess) => Promise<Value>,
): Promise<Value> {
  const data = await dataDirectory(options, environment, wanted);
  const desk = await connectOrOpen(data, { clock });
  try {
    return await act(desk);
  } finally {
    await desk.close();
  }
}

/** The directory that the settings name. Throws a usage failure where it is wanted there and is not. */
export async function dataDirectory(options: Readonly<Record<string, unknown>>, environment: Environment, wanted: Wanted): Promise<string> {
  const { data } = (await settingsInForce(options, environment)).values;
  // Else a typing error would make an empty store and then tell that it is empty.
  if (wanted === "there" && !existsSync(data)) {
    throw wrongUsage(`There is no data directory "${data}"; serve, import and keys create make one`);
  }
  return data;
}

/** Changes the book of accounts. Throws a usage failure where the changes do not fit it, with `refusal` for a message. */
export async function changeBook(desk: StoreAccess, changes: readonly AccountChange[], refusal?: string): Promise<AccountBook> {
  try {
    return await desk.update(changes);
  } catch (error) {
    throw error instanceof RangeError ? wrongUsage(refusal ?? error.message) : error;
  }
}
