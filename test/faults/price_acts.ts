import {
  type Decision,
  type Import,
  type ImportPlan,
  type ImportSummary,
  NO_PROCESS,
  NOTHING_DONE,
  type Selection,
  type StoredRecord,
} from "../../adapters/stores/shared/imports.ts";
import type { AssetCode } from "../../core/branded_types.ts";
import type { Observation } from "../../core/market/observation.ts";
import type { createPriceModel, PriceChanges } from "../support/price_model.ts";
import type { Random } from "../support/seeded_random.ts";
import { at } from "../support/store_suite/records.ts";
import { observed } from "../support/store_suite.ts";

/** A change of prices or imports, which a store makes completely or not at all. */
export type Act =
  | { readonly type: "append"; readonly source: string; readonly batch: readonly Observation[] }
  | { readonly type: "begin"; readonly source: string }
  | {
      readonly type: "add";
      readonly id: number;
      readonly batch: readonly Observation[];
      readonly keepExisting: boolean;
    }
  | { readonly type: "finish"; readonly id: number; readonly summary: ImportSummary }
  | { readonly type: "decide"; readonly id: number; readonly selection: Selection; readonly decision: Decision }
  | { readonly type: "startUndo" | "undo"; readonly id: number };

/** The expected content of a store. */
export type PriceModel = ReturnType<typeof createPriceModel>;

/** Carries out an act on a model, synchronously. */
export function carryOut(model: PriceModel, act: Act): void {
  if (act.type === "startUndo") model.startUndo(act.id);
  else ask(model, act).catch(() => {}); // A store also refuses the acts that the model refuses.
}

/** The content of a model, for comparison with a store. */
export function contentOfModel(model: PriceModel): string {
  return contentOf(model.records(), model.list());
}

/** Records and imports as a text that does not depend on their order. */
export function contentOf(records: Iterable<StoredRecord>, imports: Iterable<Import>): string {
  const lines = [...records].map((one) => [
    ...[one.code, one.businessTime, one.qualityStatus, one.source, one.import, one.value, one.insertTime],
    ...[one.sourceTime, one.provider, one.qualityMessage],
  ]);
  const more = [...imports].map(({ id, summary, undone }) => [
    "import",
    id,
    summary,
    undone?.restored,
    undone?.removed,
  ]);
  return [...lines, ...more]
    .map((line) => JSON.stringify(line))
    .sort()
    .join("\n");
}

/** Describes how the content of a store differs from the expected content. */
export function differenceOf(found: string, expected: string): string {
  const [lines, wanted] = [found.split("\n"), expected.split("\n")];
  const [more] = lines.filter((line) => !wanted.includes(line));
  const missing = wanted.filter((line) => !lines.includes(line));
  return `${missing.length} lines missing: ${missing[0]?.slice(0, 120)}; has ${more?.slice(0, 120)}`;
}

/** Random acts change only these assets, so that other clients can change all other assets. */
export const CHANGED = ["EUR_RLS", "GBP_RLS"] as AssetCode[];

/** Settings for choosing a random act. */
export interface Choices {
  readonly codes: readonly AssetCode[];
  /** Whether no other act is running. Only then does the model equal the store when the act is carried out. */
  readonly isAlone: boolean;
}

const SOURCES = ["embedder", "key:a", "import"];
const MINUTES = 10;
/** Fewer imports than a store remembers, so that it forgets none. */
const MOST_IMPORTS = 900;

/** A random act that fits the content of the model. */
export function nextAct(model: PriceModel, random: Random, { codes, isAlone }: Choices): Act {
  const source = random.pick(SOURCES);
  const imports = model.list().map(({ id }) => id);
  const open = model.list().flatMap(({ id, summary, undone }) => (summary || undone ? [] : [id]));
  const kind = random.below(20);
  if (isAlone && imports.length < MOST_IMPORTS && (kind < 2 || (kind < 10 && open.length === 0)))
    return { type: "begin", source };
  if (isAlone && kind < 4 && imports.length > 0) return { type: "undo", id: random.pick(imports) };
  if (kind < 11 && open.length > 0) {
    const id = random.pick(open);
    const replaced = model.countReplaced(id);
    if (kind === 4)
      return { type: "finish", id, summary: { ...NOTHING_DONE, replaced, refused: 0, providers: [], complete: true } };
    if (kind > 7 || !isAlone)
      return { type: "add", id, batch: nextBatch(random, codes), keepExisting: random.chance(0.2) };
    const from = random.below(MINUTES / 2);
    const selection = {
      ...{ code: random.pick(codes), from: at(from), to: at(from + 1 + random.below(MINUTES)) },
      ...{ provider: random.pick([null, "shop"]), pending: random.chance(0.3) },
    };
    const qualityStatus = random.pick(["ACCEPTED", "REJECTED"] as const);
    return { type: "decide", id, selection, decision: { qualityStatus, qualityMessage: "decided" } };
  }
  return { type: "append", source, batch: nextBatch(random, codes) };
}

/** A batch of a few records at times that other batches also use. Some batches do not fit into one line of the log. */
function nextBatch(random: Random, codes: readonly AssetCode[]): readonly Observation[] {
  const code = random.pick(codes);
  const count = random.chance(0.05) ? 60 : 1 + random.below(4);
  const minutes = new Set(Array.from({ length: count }, (_, i) => (count > 10 ? i : random.below(MINUTES))));
  return [...minutes].map((minute) =>
    observed(minute, 1 + random.below(4), {
      code: random.chance(0.8) ? code : random.pick(codes),
      insertTime: at(10_000 + random.below(3)),
      provider: random.pick([null, "shop"]),
      qualityStatus: random.pick(["ACCEPTED", "ACCEPTED", "PENDING", "PENDING", "REJECTED"]),
      qualityMessage: "x".repeat(random.chance(0.3) ? random.below(1_500) : 0),
    }),
  );
}

/** Requests an act from a store immediately; resolves to the answer. */
export async function ask({ observations, imports }: PriceChanges, act: Act): Promise<unknown> {
  if (act.type === "append") return observations.append(act.batch, act.source);
  if (act.type === "begin") return imports.begin({ ...PLAN, source: act.source });
  if (act.type === "add") return imports.append(act.id, act.batch, act.keepExisting);
  if (act.type === "finish") return imports.finish(act.id, act.summary);
  if (act.type === "decide") return imports.decide(act.id, act.selection, act.decision);
  for (;;) {
    const undoing = await imports.undo(act.id);
    if (!undoing.pending) return undoing;
  }
}

const PLAN: Omit<ImportPlan, "source"> = { type: "import", subjects: ["prices.csv"], by: NO_PROCESS };
