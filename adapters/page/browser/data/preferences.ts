import { readStored, writeStored } from "./device.ts";

/** What a visitor may choose, with the possible values. */
const VALUES = {
  language: ["en", "fa"],
  unit: ["rial", "toman"],
  theme: ["auto", "light", "dark"],
} as const;

/** How the page is shown. It changes no request and no answer. */
export type Preferences = { readonly [Name in keyof typeof VALUES]: (typeof VALUES)[Name][number] };
/** English or Persian. */
export type Language = Preferences["language"];
/** What a visitor has chosen; the rest follows from the language. */
export type Choices = Partial<Preferences>;

/** The language that a visitor's browser asks for: Persian if it comes before English. */
export function languageOf(accepted: readonly string[]): Language {
  const found = accepted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === "en" || tag === "fa");
  return found === "fa" ? "fa" : "en";
}

/** All preferences: what was chosen, and for the rest what readers of the language are used to. */
export function preferencesOf(choices: Choices, accepted: Language): Preferences {
  const { language = accepted } = choices;
  return { theme: "auto", unit: language === "fa" ? "toman" : "rial", ...choices, language };
}

/** Adds a change. Another language brings its own unit. */
export function choose(choices: Choices, change: Choices): Choices {
  const { theme, ...rest } = choices;
  return { ...(theme && { theme }), ...(change.language === undefined && rest), ...change };
}

/** Adds a change, and keeps what then is chosen. */
export function keepChoice(choices: Choices, change: Choices): Choices {
  const next = choose(choices, change);
  writeStored("preferences", next);
  return next;
}

/** Reads what was chosen before. */
export function readChoices(): Choices {
  return choicesOf(Object.entries(readStored("preferences") ?? {}));
}

/** The names and values that are choices. */
export function choicesOf(given: readonly (readonly [name: string, value: unknown])[]): Choices {
  const isKnown = (name: string, value: unknown): boolean =>
    Object.entries(VALUES).some(([known, values]) => known === name && values.some((one) => one === value));
  return Object.fromEntries(given.filter(([name, value]) => isKnown(name, value)));
}
