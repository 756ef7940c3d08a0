import { readStored, writeStored } from "./device.ts";

/** The choices that a visitor can make, and their possible values. */
const VALUES = {
  language: ["en", "fa"],
  unit: ["rial", "toman"],
  theme: ["auto", "light", "dark"],
} as const;

/** How the page is shown. Preferences do not change requests or answers. */
export type Preferences = { readonly [Name in keyof typeof VALUES]: (typeof VALUES)[Name][number] };
/** English or Persian. */
export type Language = Preferences["language"];
/** The preferences that the visitor has chosen. The defaults for the others depend on the language. */
export type Choices = Partial<Preferences>;

/** The language from the browser's settings: Persian if the browser lists it before English. */
export function languageOf(accepted: readonly string[]): Language {
  const found = accepted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === "en" || tag === "fa");
  return found === "fa" ? "fa" : "en";
}

/** Returns all preferences: the visitor's choices, and the language's defaults for the others. */
export function preferencesOf(choices: Choices, accepted: Language): Preferences {
  const { language = accepted } = choices;
  return { theme: "auto", unit: language === "fa" ? "toman" : "rial", ...choices, language };
}

/** Adds a change. Changing the language also changes the unit. */
export function choose(choices: Choices, change: Choices): Choices {
  const { theme, ...rest } = choices;
  return { ...(theme && { theme }), ...(change.language === undefined && rest), ...change };
}

/** Applies a change, and stores the resulting choices. */
export function keepChoice(choices: Choices, change: Choices): Choices {
  const next = choose(choices, change);
  writeStored("preferences", next);
  return next;
}

/** Reads the stored choices. */
export function readChoices(): Choices {
  return choicesOf(Object.entries(readStored("preferences") ?? {}));
}

/** Keeps only valid names and values. */
export function choicesOf(given: readonly (readonly [name: string, value: unknown])[]): Choices {
  const isKnown = (name: string, value: unknown): boolean =>
    Object.entries(VALUES).some(([known, values]) => known === name && values.some((one) => one === value));
  return Object.fromEntries(given.filter(([name, value]) => isKnown(name, value)));
}
