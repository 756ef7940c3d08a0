import type { PageContext } from "./legacy.tsx";
import { documentationOf } from "./documentation.ts";
import { h } from "./dom.ts";
import { messagesOf } from "./messages.ts";
import { addressOf } from "./places.ts";

/** The link to where keys come from: the operator's documentation, or the guide, where they have named no other. */
export function keyLink({ settings, baseUrl, preferences }: Pick<PageContext, "settings" | "baseUrl" | "preferences">): HTMLAnchorElement {
  return h("a", { class: "key-link", href: documentationOf(settings, baseUrl) ?? addressOf("guide", "keys") }, messagesOf(MESSAGES, preferences.language));
}

const MESSAGES = { en: "How to get a key", fa: "چگونه کلید بگیرم؟" };
