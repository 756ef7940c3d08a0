import type { PageContext } from "../legacy.tsx";
import { h } from "../dom.ts";
import { exampleKey, YOUR_KEY } from "../example_key.ts";
import { addressOf } from "../places.ts";
import { segmented } from "../segmented.ts";
import { messagesOf } from "../messages.ts";
import { clientExample } from "./client_example.ts";
import { codeBox } from "./code_box.ts";
import { curlExample, javaScriptExample, pythonExample } from "./examples.ts";
import { MESSAGES } from "./messages.ts";
import type { Operation } from "./operations.ts";
import { withCode } from "./prose.ts";
import { plannedRequest } from "./request.ts";
import { draftOf, shared } from "./drafts.ts";

/** The request of the form as programs. `update` is called when the form changes. */
export function examplesBox(operation: Operation, level: number, context: PageContext): { readonly element: HTMLElement; update(): void } {
  const texts = messagesOf(MESSAGES, context.preferences.language);
  const place = h("div", {});
  const choice = h("div", {});
  const example = { baseUrl: context.baseUrl, key: exampleKey(context) };
  const keyHint = h("p", { class: "small", hidden: operation.keyFields.length === 0 }, example.key === YOUR_KEY ? texts.yourKeyInExample(YOUR_KEY) : texts.demoKeyInExample);
  const clientHint = h("p", { class: "small" }, ...withCode(texts.clientPackage), " ", h("a", { href: addressOf("guide", "clients") }, texts.clientHow));
  const element = h("section", { class: "ref-examples" }, h(level === 1 ? "h2" : "h3", {}, texts.example), choice, place, keyHint, clientHint);
  const hasClient = clientExample(operation, draftOf(operation).entries, example) !== undefined;
  const options: Readonly<Record<string, string>> = { curl: "curl", javascript: "JavaScript", python: "Python", ...(hasClient && { client: texts.clientLabel }) };
  choice.append(segmented({
    name: `ref-language-${operation.elementId}`,
    label: texts.exampleOf,
    quietLabel: true,
    options,
    chosen: shared.language in options ? shared.language : "curl",
    choose(language) {
      shared.language = language;
      update();
    },
  }));

  /** The name of the language, and the program. A call that lacks an argument has no program of the client. */
  function shown(): readonly [label: string, text: string] {
    const { entries } = draftOf(operation);
    const planned = plannedRequest(operation, entries, context.baseUrl);
    if (shared.language === "javascript") return ["JavaScript", javaScriptExample(planned, example.key)];
    if (shared.language === "python") return ["Python", pythonExample(planned, example.key)];
    const call = shared.language === "client" ? clientExample(operation, entries, example) : undefined;
    return call === undefined ? ["curl", curlExample(planned, example.key)] : [texts.clientLabel, call];
  }

  function update(): void {
    const [label, text] = shown();
    place.replaceChildren(codeBox(text, label, context));
    clientHint.hidden = label !== texts.clientLabel;
  }

  update();
  return { element, update };
}
