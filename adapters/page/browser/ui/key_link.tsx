import { usePage } from "../context.ts";
import { documentationOf } from "../documentation.ts";
import { docsAddress } from "../places.ts";

/** The link to where keys come from: the operator's documentation, or the guide, where they have named no other. */
export function KeyLink() {
  const { settings, baseUrl, preferences, texts } = usePage();
  return <a class="key-link" href={documentationOf(settings, baseUrl) ?? `${baseUrl}/${docsAddress("guide", preferences.language, { id: "keys" })}`}>{texts.howToGetKey}</a>;
}
