import type { AssetCode, UtcMillis } from "../../../core/mod.ts";
import { listOf, objectOf } from "../parse_accounts.ts";
import type { ImportPlan, ImportSummary, ValueChange } from "../../store/imports.ts";

/** Reads the plan of an import that came from another process. Throws `TypeError` when it is none. */
export function parseActPlan(value: unknown): ImportPlan {
  const { type, subjects, by } = objectOf(value, "import");
  const { pid, host } = objectOf(by, "process");
  const isKnown = type === "import" || type === "withdrawal";
  if (!isKnown || typeof pid !== "number" || typeof host !== "string") throw new TypeError("Cannot begin an import as it is not described");
  return { type, subjects: texts(subjects, "subjects"), by: { pid, host } };
}

/** Reads the summary of an import that came from another process. Throws `TypeError` when it is none. */
export function parseSummary(value: unknown): ImportSummary {
  const { accepted, replaced, unchanged, kept, repeated, refused, largest, providers, complete } = objectOf(value, "summary");
  return {
    ...{ accepted: count(accepted), replaced: count(replaced), unchanged: count(unchanged), kept: count(kept), repeated: count(repeated) },
    refused: count(refused),
    largest: largest === null ? null : parseChange(largest),
    providers: texts(providers, "providers"),
    complete: complete === true,
  };
}

function parseChange(value: unknown): ValueChange {
  const { code, businessTime, from, to } = objectOf(value, "change");
  const isChange = typeof code === "string" && typeof businessTime === "number" && typeof from === "number" && typeof to === "number";
  if (!isChange) throw new TypeError("Cannot read the change of a value");
  return { code: code as AssetCode, businessTime: businessTime as UtcMillis, from, to };
}

function texts(value: unknown, name: string): readonly string[] {
  return listOf(value, name).map((text) => String(text));
}

function count(value: unknown): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 0) throw new TypeError(`Cannot read a number of records: received "${String(value)}"`);
  return value;
}
