import type { Language } from "./preferences.ts";

/** Texts in English and Persian side by side, so that none has one language alone. A place for a value is its name in braces. */
type Table = Readonly<Record<string, readonly [en: unknown, fa: unknown]>>;

/** The texts of one language, by their names. */
export type TextsOf<Of extends Table> = { readonly [Name in keyof Of]: Of[Name][number] };

/** Takes the texts of a language. */
export function textsIn<Of extends Table>(table: Of, language: Language): TextsOf<Of> {
  const at = language === "fa" ? 1 : 0;
  return Object.fromEntries(Object.entries(table).map(([name, pair]) => [name, pair[at]])) as TextsOf<Of>; // a cast, as entries lose their names
}

/** The names in braces of a text. */
type Places<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never;

/** A text with its values. */
export function fill<Text extends string>(text: Text, values: Readonly<Record<Places<Text>, string>>): string {
  const byName = new Map(Object.entries<string>(values));
  return text.replace(/\{(\w+)\}/g, (place, name: string) => byName.get(name) ?? place);
}
