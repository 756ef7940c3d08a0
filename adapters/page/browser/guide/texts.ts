import { loadFile } from "../load_file.ts";
import type { Language } from "../preferences.ts";

const LOADERS: Readonly<Record<Language, () => Promise<{ readonly default: string }>>> = {
  en: () => import("../../guide/en.md"),
  fa: () => import("../../guide/fa.md"),
};
const LOADED = new Map<Language, string>();

/** The HTML of a guide, if it is loaded, so that it can be drawn at once. */
export function loadedGuide(language: Language): string | undefined {
  return LOADED.get(language);
}

/** Loads the HTML of a guide. */
export async function loadGuide(language: Language): Promise<string> {
  const { default: html } = await loadFile(LOADERS[language]);
  LOADED.set(language, html);
  return html;
}
