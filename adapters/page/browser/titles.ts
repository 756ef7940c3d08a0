import type { Language } from "./preferences.ts";

/** What an asset is called: the base name of its label. */
export function nameOf({ labelEn, labelFa }: { readonly labelEn: string; readonly labelFa: string }, language: Language): string {
  return (language === "fa" ? labelFa : labelEn).split(" / ")[0]!;
}
