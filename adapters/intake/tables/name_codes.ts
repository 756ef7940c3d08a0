import type { AssetNames } from "../names/find_asset.ts";
import { assetOf, type NamedAsset, serviceOf } from "./asset_names.ts";
import { cleanText, nameKey } from "./clean_text.ts";
import type { TableOptions } from "./detect_dialect.ts";
import { statedUnit, unitOfWord } from "./detect_price_unit.ts";
import { mentionedCode, mentionQuestions } from "./find_mentioned_assets.ts";
import type { ColumnPlan } from "./plan_columns.ts";

/** A plan with what the names of assets in the first rows tell, and what they leave open; and what each of them means. */
export function nameCodes(
  found: ColumnPlan,
  rows: readonly (readonly unknown[])[],
  options: TableOptions & { readonly titles: readonly string[] },
): { readonly plan: ColumnPlan; readonly named: ReadonlyMap<string, NamedAsset> } {
  const named = new Map<string, NamedAsset>();
  const { names, code, unit: answer, titles } = options;
  const mentioned = found.questions.some((question) => question.missing === "code")
    ? mentionedCode(options)
    : undefined;
  const questions = found.questions.map((question) =>
    mentioned && question.missing === "code"
      ? { ...mentioned, reason: `${question.reason}; ${mentioned.reason}` }
      : question,
  );
  const plan = { ...found, questions };
  const [at, valueAt] = [plan.columns.indexOf("code"), plan.columns.indexOf("value")];
  if (code !== undefined)
    return {
      plan: {
        ...plan,
        unitColumn: hasUnits(() => code) ? plan.unitColumn : undefined,
        questions: [...plan.questions, ...mentionQuestions({ ...options, cells: labelOf(plan, rows) }, code)],
      },
      named,
    };
  if (at === -1) return { plan, named };
  const others = (rows[0] ?? []).filter((cell) => typeof cell === "string");
  const { service, questions: serviceQuestions } = serviceOf([...others, ...textsOf(rows, at)], options);
  const stated = statedUnit({ name: "", unit: plan.units[valueAt], titles, answer });
  for (const cells of rows) {
    const text = cleanText(String(cells[at] ?? ""));
    const unit = unitOfWord(String(cells[plan.unitColumn ?? -1] ?? "")) ?? (stated.ok ? stated.value?.unit : undefined);
    const asset = named.has(text) ? undefined : assetOf(text, { names, service, quote: unit?.quote });
    if (asset) named.set(text, asset);
  }
  const open = [...named.values()].flatMap(({ question }) => question ?? []);
  return {
    plan: {
      ...plan,
      service,
      unitColumn: hasUnits((cells) => named.get(cleanText(String(cells[at] ?? "")))?.code)
        ? plan.unitColumn
        : undefined,
      questions: [...plan.questions, ...serviceQuestions, ...open],
    },
    named,
  };

  function hasUnits(codeOf: (cells: readonly unknown[]) => string | undefined): boolean {
    return rows.some((cells) => {
      const text = String(cells[plan.unitColumn ?? -1] ?? "");
      return unitOfWord(text) !== undefined || isOtherUnit(text, codeOf(cells), names);
    });
  }
}

/** Whether a text in a column of units is a currency other than what is priced. */
export function isOtherUnit(text: string, code: string | undefined, names: AssetNames): boolean {
  const { codes } = unitOfWord(text) ? { codes: [] } : names.find(text);
  return codes.length > 0 && code !== undefined && !codes.some((one) => one.slice(0, -4) === code.slice(0, -4));
}

/** The name of the asset beside the prices of the code that was given. Under the name of a currency, there may be a unit. */
function labelOf({ label, names }: ColumnPlan, rows: readonly (readonly unknown[])[]): readonly string[] {
  return label === undefined || nameKey(names[label]!) === "currency" ? [] : textsOf(rows, label).slice(0, 1);
}

function textsOf(rows: readonly (readonly unknown[])[], at: number): readonly string[] {
  return [...new Set(rows.flatMap((cells) => (typeof cells[at] === "string" ? [cleanText(cells[at])] : [])))];
}
