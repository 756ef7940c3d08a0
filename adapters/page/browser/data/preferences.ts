import { readStored, writeStored } from "./device.ts";

/** The visitor's possible choices, with their values. */
const VALUES = {
  language: ["en", "fa"],
  unit: ["rial", "toman"],
  theme: ["auto", "light", "dark"],
} as const;

/** How the page is shown. It affects neither requests nor answers. */
export type Preferences = { readonly [Name in keyof typeof VALUES]: (typeof VALUES)[Name][number] };
/** English or Persian. */
export type Language = Preferences["language"];
/** The visitor's choices; the rest follows from the language. */
export type Choices = Partial<Preferences>;

/** The language that the browser prefers: Persian if it comes before English. */
export function languageOf(accepted: readonly string[]): Language {
  const found = accepted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === "en" || tag === "fa");
  return found === "fa" ? "fa" : "en";
}

/** All preferences: the choices and, for the rest, the defaults for readers of the language. */
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
