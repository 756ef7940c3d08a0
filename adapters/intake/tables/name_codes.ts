import type { AssetNames } from "../names/find_asset.ts";
import { assetOf, type NamedAsset, serviceOf } from "./asset_names.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import { type TableOptions, textsOf } from "./detect_dialect.ts";
import { isOwnName, statedUnit, unitOfWord } from "./detect_price_unit.ts";
import { mentionedCode, mentionQuestions } from "./find_mentioned_assets.ts";
import type { ColumnPlan } from "./plan_columns.ts";
import type { Cells } from "./record_columns.ts";

/** Completes a plan, using the asset names in the first rows; `named` has their meanings. */
export function nameCodes(
  found: ColumnPlan,
  rows: readonly Cells[],
  options: TableOptions & { readonly titles: readonly string[] },
): { readonly plan: ColumnPlan; readonly named: ReadonlyMap<string, NamedAsset> } {
  const named = new Map<string, NamedAsset>();
  const { names, code, unit: answer, titles } = options;
  const questions = found.questions.map((question) => {
    const mentioned = question.missing === "code" ? mentionedCode(options) : undefined;
    return mentioned ? { ...mentioned, reason: `${question.reason}; ${mentioned.reason}` } : question;
  });
  const plan = { ...found, questions };
  const [at, valueAt] = [plan.columns.indexOf("code"), plan.columns.indexOf("value")];
  if (code !== undefined) {
    const unitColumn = hasUnits(() => code) ? plan.unitColumn : undefined;
    const ofMentions = mentionQuestions({ ...options, cells: labelOf(plan, rows) }, code);
    return { plan: { ...plan, unitColumn, questions: [...questions, ...ofMentions] }, named };
  }
  if (at === -1) return { plan, named };
  const others = (rows[0] ?? []).filter((cell) => typeof cell === "string");
  const { service, questions: serviceQuestions } = serviceOf(
    [...others, ...new Set(textsOf(rows, at).map(cleanText))],
    options,
  );
  const stated = statedUnit({ name: "", unit: plan.units[valueAt], titles, answer });
  for (const cells of rows) {
    const text = cleanText(String(cells[at] ?? ""));
    const unit = unitOfWord(String(cells[plan.unitColumn ?? -1] ?? "")) ?? (stated.ok ? stated.value?.unit : undefined);
    const asset = named.has(text) ? undefined : assetOf(text, { names, service, quote: unit?.quote });
    if (asset) named.set(text, asset);
  }
  const open = [...named.values()].flatMap(({ question }) => question ?? []);
  const codeOf = (cells: Cells): string | undefined => named.get(cleanText(String(cells[at] ?? "")))?.code;
  const unitColumn = hasUnits(codeOf) ? plan.unitColumn : undefined;
  return { plan: { ...plan, service, unitColumn, questions: [...questions, ...serviceQuestions, ...open] }, named };

  function hasUnits(codeOfRow: (cells: Cells) => string | undefined): boolean {
    return rows.some((cells) => {
      const text = String(cells[plan.unitColumn ?? -1] ?? "");
      const unit = unitOfWord(text);
      return (unit && !isOwnName(unit, codeOfRow(cells))) || isOtherUnit(text, codeOfRow(cells), names);
    });
  }
}

/** Whether a text in a column of units is another currency than the asset. */
export function isOtherUnit(text: string, code: string | undefined, names: AssetNames): boolean {
  const { codes } = unitOfWord(text) ? { codes: [] } : names.find(text);
  return codes.length > 0 && code !== undefined && !codes.some((one) => one.slice(0, -4) === code.slice(0, -4));
}

/** The first name in the column of assets, if the code is given. Skips a column `currency`: it may have the unit. */
function labelOf({ label, names }: ColumnPlan, rows: readonly Cells[]): readonly string[] {
  return label === undefined || nameKey(names[label]!) === "currency"
    ? []
    : textsOf(rows, label).slice(0, 1).map(cleanText);
}
