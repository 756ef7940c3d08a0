import type { PageContext } from "../legacy.tsx";
import { h } from "../dom.ts";
import { failureBox } from "../failure_box.ts";
import { messagesOf } from "../messages.ts";
import { MESSAGES } from "./messages.ts";
import { navigation } from "./navigation.ts";
import { operationSection } from "./operation_section.ts";
import { readReference } from "./operations.ts";
import type { Reference } from "./operations.ts";
import { prose } from "./prose.ts";
import { fillIn } from "./drafts.ts";

let known: Reference | undefined;

/** The reference view: made of the OpenAPI document of this server, which is loaded once. */
export function view(context: PageContext): HTMLElement {
  const element = h("div", { class: "ref" });
  if (known === undefined) void load();
  else draw(known);

  async function load(): Promise<void> {
    element.replaceChildren(h("p", { class: "loading", role: "status" }, "…"));
    try {
      const response = await fetch("openapi.json", { signal: context.signal });
      if (!response.ok) throw Object.assign(new Error(`openapi.json: ${response.statusText}`), { status: response.status });
      known = readReference(await response.json());
    } catch (thrown) {
      if (!context.signal.aborted) element.replaceChildren(failureBox(thrown, context, () => void load()));
      return;
    }
    if (!context.signal.aborted) draw(known);
  }

  function draw(reference: Reference): void {
    const { id } = context.place;
    const shown = reference.operations.find((operation) => operation.id === id);
    const first = shown ?? reference.operations[0];
    if (shown !== undefined) fillIn(shown, context.place.query);
    element.replaceChildren(
      navigation(reference.operations, shown, context),
      h("div", { class: "ref-main" }, ...(shown ? [] : [overview(reference, context)]), first === undefined ? "" : operationSection(first, shown ? 1 : 2, context)),
    );
  }
  return element;
}

/** What holds for all routes, above the first of them. */
function overview({ about }: Reference, { place, preferences, settings }: PageContext): HTMLElement {
  const texts = messagesOf(MESSAGES, preferences.language);
  return h(
    "section",
    { class: "ref-overview" },
    h("h1", {}, texts.title),
    place.id !== undefined && h("p", { class: "ref-note", role: "alert" }, texts.unknownRoute(place.id)),
    h("p", {}, texts.intro),
    about.length > 0 && h(
      "details", { class: "ref-fold" }, h("summary", {}, texts.about),
      ...(texts.aboutTexts?.(settings).map((text) => h("p", {}, text)) ?? about.map((text) => prose("p", text, preferences.language))),
    ),
  );
}
