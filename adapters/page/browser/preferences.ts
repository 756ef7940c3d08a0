/** What a visitor may choose, with the possible values. */
const VALUES = {
  language: ["en", "fa"],
  unit: ["rial", "toman"],
  calendar: ["gregorian", "jalali"],
  digits: ["latin", "persian"],
  theme: ["auto", "light", "dark"],
} as const;

/** How the page is shown. It changes no request and no answer. */
export type Preferences = { readonly [Name in keyof typeof VALUES]: (typeof VALUES)[Name][number] };
/** English or Persian. */
export type Language = Preferences["language"];
/** What a visitor has chosen; the rest follows from the language. */
export type Choices = Partial<Preferences>;

/** The part of `localStorage` that is used. */
export interface TextStorage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

const STORED_AS = "mazaneh.preferences";

/** The language that a visitor's browser asks for: Persian if it comes before English. */
export function languageOf(accepted: readonly string[]): Language {
  const found = accepted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag === "en" || tag === "fa");
  return found === "fa" ? "fa" : "en";
}

/** All preferences: what was chosen, and for the rest what readers of the language are used to. */
export function preferencesOf(choices: Choices, language: Language): Preferences {
  return { ...defaultsOf(choices.language ?? language), ...choices };
}

/** Adds a change. Unit, calendar and digits that are those of the language are left out, so that they follow the next language, too. */
export function choose(choices: Choices, change: Choices, language: Language): Choices {
  const chosen = { ...choices, ...change };
  const { unit, calendar, digits } = defaultsOf(chosen.language ?? language);
  if (change.unit === unit) delete chosen.unit;
  if (change.calendar === calendar) delete chosen.calendar;
  if (change.digits === digits) delete chosen.digits;
  return chosen;
}

/** Reads what was chosen before. A forbidden, empty or damaged storage counts as no choice. */
export function readChoices(storage: () => TextStorage): Choices {
  try {
    const stored: unknown = JSON.parse(storage().getItem(STORED_AS) ?? "{}");
    return isObject(stored) ? Object.fromEntries(Object.entries(VALUES).flatMap(([name, values]) => known(name, values, stored[name]))) : {};
  } catch {
    return {};
  }
}

/** Keeps what was chosen. Where storage is forbidden or full, the choice lasts until the page is closed. */
export function writeChoices(storage: () => TextStorage, choices: Choices): void {
  try {
    storage().setItem(STORED_AS, JSON.stringify(choices));
  } catch {
    // Nothing is lost but a convenience.
  }
}

function defaultsOf(language: Language): Preferences {
  const [unit, calendar, digits] = language === "fa" ? (["toman", "jalali", "persian"] as const) : (["rial", "gregorian", "latin"] as const);
  return { language, unit, calendar, digits, theme: "auto" };
}

function known(name: string, values: readonly string[], value: unknown): [string, string][] {
  return typeof value === "string" && values.includes(value) ? [[name, value]] : [];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
