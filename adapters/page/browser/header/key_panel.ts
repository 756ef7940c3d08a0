import type { Quota } from "../../../client/mod.ts";
import type { PageContext } from "../context.ts";
import { documentationOf } from "../documentation.ts";
import { h } from "../dom.ts";
import { keyLink } from "../key_link.ts";
import { messagesOf } from "../messages.ts";
import { FRAME } from "./messages.ts";
import { panel } from "./panel.ts";

/** What the panel says of the key: the units that are left, and why the key was refused. */
export interface KeyState {
  readonly quota: Quota | undefined;
  readonly problem: string | undefined;
}

/** The panel in which a key is entered, and a function that shows what is known of it. */
export function keyPanel(context: PageContext): { readonly element: HTMLElement; show(state: KeyState): void } {
  const { key, settings, baseUrl, preferences, format, setKey } = context;
  const texts = messagesOf(FRAME, preferences.language);
  const badge = h("span", { class: "badge-text" });
  const units = h("div", { role: "status" });
  const problem = h("div", {});
  const field = h("input", {
    id: "key-field",
    type: "password",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    dir: "ltr",
    "aria-describedby": "key-promise",
    placeholder: "mz_live_…",
  });

  const shown = h("input", { id: "key-shown", type: "checkbox", onchange: () => field.setAttribute("type", shown.checked ? "text" : "password") });

  function use(event: Event): void {
    event.preventDefault();
    const entered = enteredKey(field.value);
    if (entered === "") return field.focus();
    if (!/^[\x21-\x7e]+$/.test(entered)) return showProblem(texts.notAKey);
    setKey(entered); // what was typed stays until the server has accepted it
  }

  function showProblem(text: string): void {
    problem.replaceChildren(h("p", { class: "problem", role: "alert" }, text));
  }

  function forget(): void {
    field.value = "";
    setKey(undefined);
    document.getElementById("key-field")?.focus(); // as the button is gone
  }

  const isDemo = key !== undefined && key === settings.demoKey;
  const isElsewhere = documentationOf(settings, baseUrl) !== undefined;
  const about = h("p", {}, key === undefined ? texts.noKeyYet : isDemo ? texts.demoKey : texts.ownKey);
  const element = panel(
    "key-panel",
    [texts.key, badge],
    about,
    isElsewhere && (key === undefined || isDemo) && h("p", {}, keyLink(context)),
    !isElsewhere && key === undefined && [h("p", {}, texts.makeKey), h("pre", {}, h("code", {}, "mazaneh keys create NAME"))],
    units,
    h(
      "form",
      { onsubmit: use },
      h("label", { for: "key-field" }, texts.keyField),
      field,
      h(
        "label",
        { class: "check" },
        shown,
        texts.show,
      ),
      problem,
      h(
        "p",
        { class: "acts" },
        h("button", { id: "key-use", type: "submit", class: "primary" }, texts.use),
        key !== undefined && !isDemo && h("button", { id: "key-forget", type: "button", onclick: forget }, texts.forget),
      ),
    ),
    h("p", { id: "key-promise", class: "small" }, texts.keyPromise),
  );

  return {
    element,
    show({ quota, problem: told }) {
      badge.textContent = key === undefined ? texts.noKey : quota === undefined ? "" : texts.left(format.number(quota.remaining));
      if (told !== undefined) showProblem(told);
      about.hidden = told !== undefined;
      if (quota === undefined) return units.replaceChildren();
      const { limit, remaining, resetsAt } = quota;
      const left = limit === undefined ? texts.left(format.number(remaining)) : texts.leftOf(format.number(remaining), format.number(limit));
      units.replaceChildren(
        h("p", {}, h("strong", {}, left), " ", texts.resets(format.dateTimeInZone(resetsAt), format.age(resetsAt.getTime(), Date.now()))),
        limit === undefined ? "" : h("meter", { min: 0, max: Math.max(limit, 1), value: remaining, "aria-label": left }),
      );
    },
  };
}

/** A key as it was meant: pasted ones bring blanks, quotes and marks of direction along. */
export function enteredKey(text: string): string {
  return text.replace(/^[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+|[\s"'`“”‘’«»\u200b-\u200f\u2066-\u2069]+$/g, "");
}

/** Empties the field and closes the panel, which would cover the prices, and leads the focus from it back to its button. */
export function closeKeyPanel(): void {
  const open = document.querySelector<HTMLDetailsElement>("#key-panel");
  if (open === null) return;
  open.querySelector<HTMLInputElement>("#key-field")!.value = "";
  const hadFocus = open.contains(document.activeElement);
  open.open = false;
  if (hadFocus) open.querySelector("summary")?.focus();
}

/** Opens the panel, and leads the focus into its field. */
export function openKeyPanel(): void {
  document.getElementById("key-panel")?.setAttribute("open", "");
  document.getElementById("key-field")?.focus();
}
