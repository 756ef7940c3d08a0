import type { Language } from "./preferences.ts";

/** The texts of a view, in both languages with one shape, so that a missing one does not compile. */
export type MessageTable<Messages> = Readonly<Record<Language, Messages>>;

/** The texts of a language. */
export function messagesOf<Messages>(table: MessageTable<Messages>, language: Language): Messages {
  return table[language];
}
