import type { PageContext } from "../context.ts";
import { h } from "../dom.ts";
import { messagesOf } from "../messages.ts";
import { addressOf } from "../places.ts";
import { serviceName } from "../titles.ts";
import { keyPanel } from "./key_panel.ts";
import type { KeyState } from "./key_panel.ts";
import { FRAME } from "./messages.ts";
import { panel } from "./panel.ts";
import { segmented } from "../segmented.ts";

/** The header: name, pages, choices, key. `show` says what is known of the key, without drawing the rest anew. */
export function header(context: PageContext): { readonly content: readonly HTMLElement[]; show(state: KeyState): void } {
  const { settings, place, preferences, setPreferences } = context;
  const texts = messagesOf(FRAME, preferences.language);
  const other = preferences.language === "en" ? "fa" : "en";
  const key = keyPanel(context);

  const links = (["market", "reference", "guide"] as const).map((view) => {
    const isHere = place.view === view || (view === "market" && place.view === "asset");
    return h("li", {}, h("a", { id: `nav-${view}`, href: addressOf(view), "aria-current": isHere ? (place.view === view ? "page" : "true") : undefined }, texts[view]));
  });

  const content = [
    h("a", { id: "name", class: "name", href: addressOf("market") }, h("bdi", {}, serviceName(settings.application, preferences.language))),
    h("nav", { "aria-label": texts.nav }, h("ul", {}, ...links)),
    segmented({ name: "unit", label: texts.unit, quietLabel: true, options: texts.units, chosen: preferences.unit, choose: (unit) => setPreferences({ unit }) }),
    h(
      "div",
      { class: "choices" },
      h("button", { id: "language", type: "button", lang: other, onclick: () => setPreferences({ language: other }) }, texts.otherLanguage),
      panel(
        "display-panel",
        [texts.display],
        segmented({ name: "theme", label: texts.theme, options: texts.themes, chosen: preferences.theme, choose: (theme) => setPreferences({ theme }) }),
        segmented({ name: "calendar", label: texts.calendar, options: texts.calendars, chosen: preferences.calendar, choose: (calendar) => setPreferences({ calendar }) }),
        segmented({ name: "digits", label: texts.digits, options: texts.digitKinds, chosen: preferences.digits, choose: (digits) => setPreferences({ digits }) }),
      ),
      key.element,
    ),
  ];
  return { content, show: key.show };
}
