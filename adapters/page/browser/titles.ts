import type { PageSettings } from "../page_settings.ts";
import { FRAME } from "./header/messages.ts";
import { messagesOf } from "./messages.ts";
import type { Place } from "./places.ts";
import type { Language } from "./preferences.ts";

/** What an asset is called: the base name of its label. */
export function nameOf({ labelEn, labelFa }: { readonly labelEn: string; readonly labelFa: string }, language: Language): string {
  return (language === "fa" ? labelFa : labelEn).split(" / ")[0]!;
}

/** The name of the service; Mazaneh's own is written as the language does. */
export function serviceName(application: string, language: Language): string {
  return application === "mazaneh" ? messagesOf(FRAME, language).mazaneh : application;
}

/** The title of the document at a place, e.g. `US Dollar – Mazaneh`. */
export function titleOf({ view, id }: Place, { application, assets }: PageSettings, language: Language): string {
  const texts = messagesOf(FRAME, language);
  const asset = assets.find(({ code }) => code === id);
  const here = view !== "asset" ? texts[view] : asset === undefined ? id : `${nameOf(asset, language)} (${asset.code})`;
  return `${here} – ${serviceName(application, language)}`;
}
