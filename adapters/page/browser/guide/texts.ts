import { fillGuide } from "../../guide/guide_values.ts";
import type { GuideValues } from "../../guide/guide_values.ts";
import type { Language, Preferences } from "../preferences.ts";

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
  const { default: html } = await LOADERS[language]();
  LOADED.set(language, html);
  return html;
}

/** A text of the guide for this server and reader: values filled in, and Persian digits as they are preferred. */
export function textOf(text: string, values: GuideValues, { digits }: Pick<Preferences, "digits">): string {
  const filled = fillGuide(text, values);
  if (digits === "persian") return filled;
  return filled.replace(/[۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 15)).replaceAll("٬", ",").replaceAll("٫", ".");
}
