import { usePage } from "../context.ts";
import { documentationOf } from "../documentation.ts";
import { docsAddress } from "../places.ts";

const MESSAGES = { en: "How to get a key", fa: "چگونه کلید بگیرم؟" };

/** The link to where keys come from: the operator's documentation, or the guide, where they have named no other. */
export function KeyLink() {
  const { settings, baseUrl, preferences } = usePage();
  return <a class="key-link" href={documentationOf(settings, baseUrl) ?? `${baseUrl}/${docsAddress("guide", preferences.language, { id: "keys" })}`}>{MESSAGES[preferences.language]}</a>;
}
