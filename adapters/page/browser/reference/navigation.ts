import type { PageContext } from "../legacy.tsx";
import { h } from "../dom.ts";
import { messagesOf } from "../messages.ts";
import { addressOf } from "../places.ts";
import type { Language } from "../preferences.ts";
import { MESSAGES } from "./messages.ts";
import type { Operation } from "./operations.ts";
import { persianOf } from "./translations.ts";

/** The list of routes. On a narrow screen it is folded, and closed again by each choice. */
export function navigation(operations: readonly Operation[], shown: Operation | undefined, { preferences }: PageContext): HTMLElement {
  const texts = messagesOf(MESSAGES, preferences.language);
  const own = operations.filter(({ isOwn }) => isOwn);
  return h(
    "nav",
    { class: "ref-nav", "aria-label": texts.routes },
    h(
      "details",
      { open: matchMedia("(width >= 60rem)").matches },
      h("summary", {}, texts.routes),
      h("p", { class: "small" }, texts.versionRoutes),
      h("ul", {}, ...operations.filter(({ isOwn }) => !isOwn).map((operation) => entry(operation, operation === shown, preferences.language))),
      own.length > 0 && h("p", { class: "small" }, texts.customRoutes),
      own.length > 0 && h("ul", {}, ...own.map((operation) => entry(operation, operation === shown, preferences.language))),
    ),
  );
}

function entry({ id, elementId, method, path, summary }: Operation, isShown: boolean, language: Language): HTMLElement {
  return h(
    "li",
    {},
    h(
      "a",
      {
        id: `ref-nav-${elementId}`, href: addressOf("reference", id), "aria-current": isShown ? "page" : undefined,
        title: (language === "fa" ? persianOf(summary) : undefined) ?? summary, dir: "ltr",
      },
      h("span", { class: `ref-method ref-method-${method.toLowerCase()}` }, method),
      // All routes of the contract begin alike, which would hide where they differ.
      h("code", {}, path.replace(/^\/api\/v\d+/, "")),
    ),
  );
}
