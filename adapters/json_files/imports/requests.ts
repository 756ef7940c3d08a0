import type { Neighbours } from "../../../core/internal.ts";
import type { AssetCode, ObservationKey, UtcMillis } from "../../../core/mod.ts";
import { parseObservation } from "../log/observation_line.ts";
import { listOf, objectOf } from "../parse_accounts.ts";
import type { Import, ImportEntry, ImportOutcome, ImportAccess, Matching, Selection, Undoing, WithdrawalStep } from "../../store/imports.ts";
import { parseActPlan, parseSummary } from "./parse_plan.ts";

/** Imports through calls that each find the store anew, as the process that holds it may change. */
export function importsThrough(use: <T>(call: (store: { readonly imports: ImportAccess }) => Promise<T>) => Promise<T>): ImportAccess {
  return {
    begin: (plan) => use(({ imports }) => imports.begin(plan)),
    append: (id, batch, keepExisting) => use(({ imports }) => imports.append(id, batch, keepExisting)),
    finish: (id, summary) => use(({ imports }) => imports.finish(id, summary)),
    list: () => use(({ imports }) => imports.list()),
    undo: (id) => use(({ imports }) => imports.undo(id)),
    matching: (selection) => use(({ imports }) => imports.matching(selection)),
    withdraw: (id, selection, reason) => use(({ imports }) => imports.withdraw(id, selection, reason)),
    around: (keys) => use(({ imports }) => imports.around(keys)),
  };
}

/** Imports in another process; `ask` sends it a request. Its answers are not checked, as it runs this program. */
export function askImports(ask: (op: string, members?: object) => Promise<unknown>): ImportAccess {
  return {
    begin: async (plan) => (await ask("imports.begin", { plan })) as Import,
    append: async (imported, batch, keepExisting) => (await ask("imports.append", { imported, batch, keepExisting })) as ImportOutcome,
    finish: async (imported, summary) => (await ask("imports.finish", { imported, summary })) as Import,
    list: async () => (await ask("imports.list")) as readonly ImportEntry[],
    undo: async (imported) => (await ask("imports.undo", { imported })) as Undoing,
    matching: async (selection) => (await ask("imports.matching", { selection })) as Matching,
    withdraw: async (imported, selection, reason) => (await ask("imports.withdraw", { imported, selection, reason })) as WithdrawalStep,
    around: async (keys) => (await ask("imports.around", { keys })) as readonly Neighbours[],
  };
}

/** Carries out a request of `askImports`. Throws `TypeError` for one that is none. */
export async function changeImports(imports: ImportAccess, op: string, request: object): Promise<unknown> {
  const { plan, imported, batch, keepExisting, summary, keys, selection, reason } = objectOf(request, "request");
  switch (op) {
    case "imports.begin":
      return imports.begin(parseActPlan(plan));
    case "imports.append":
      return imports.append(idOf(imported), listOf(batch, "batch").map(parseObservation), keepExisting === true);
    case "imports.finish":
      return imports.finish(idOf(imported), parseSummary(summary));
    case "imports.list":
      return imports.list();
    case "imports.undo":
      return imports.undo(idOf(imported));
    case "imports.matching":
      return imports.matching(parseSelection(selection));
    case "imports.withdraw":
      if (typeof reason !== "string") throw new TypeError("Cannot withdraw records as the reason is no text");
      return imports.withdraw(idOf(imported), parseSelection(selection), reason);
    case "imports.around":
      return imports.around(listOf(keys, "keys").map(parseKey));
    default:
      throw new TypeError(`Cannot act as the operation is not known: received "${op.slice(0, 64)}"`);
  }
}

function idOf(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new TypeError("Cannot act as the number of the import is missing");
  return value;
}

function parseSelection(value: unknown): Selection {
  const { code, from, to, provider } = objectOf(value, "selection");
  const isSelection = typeof code === "string" && typeof from === "number" && typeof to === "number" && (provider === null || typeof provider === "string");
  if (!isSelection) throw new TypeError("Cannot withdraw records as a code, two times and a provider or null are needed");
  return { code: code as AssetCode, from: from as UtcMillis, to: to as UtcMillis, provider };
}

function parseKey(value: unknown): ObservationKey {
  const { code, businessTime } = objectOf(value, "key");
  if (typeof code !== "string" || typeof businessTime !== "number") throw new TypeError("Cannot look up a record as a code and a time are needed");
  return { code: code as AssetCode, businessTime: businessTime as UtcMillis };
}
