import { useState } from "preact/hooks";
import { usePage } from "../context.ts";
import { exampleKey, YOUR_KEY } from "../example_key.ts";
import { addressOf } from "../places.ts";
import { Segmented } from "../ui/segmented.tsx";
import { clientExample } from "./client_example.ts";
import { CodeBox } from "./code_box.tsx";
import { curlExample, javaScriptExample, pythonExample } from "./examples.ts";
import { MESSAGES } from "./messages.ts";
import type { Operation } from "./operations.ts";
import { withCode } from "./prose.tsx";
import { plannedRequest } from "./request.ts";
import { draftOf, shared } from "./drafts.ts";

/** The request of the form as programs. */
export function ExamplesBox({ operation, level }: { readonly operation: Operation; readonly level: 1 | 2 }) {
  const page = usePage();
  const texts = MESSAGES[page.preferences.language];
  const [, redraw] = useState({});
  const { entries } = draftOf(operation);
  const example = { baseUrl: page.baseUrl, key: exampleKey(page) };
  const client = clientExample(operation, entries, example);
  const [hasClient] = useState(client !== undefined); // a call that lacks an argument meanwhile has no program, but its route has
  const options: Readonly<Record<string, string>> = { curl: "curl", javascript: "JavaScript", python: "Python", ...(hasClient && { client: texts.clientLabel }) };
  const [label, text] = shown();
  const Title = level === 1 ? "h2" : "h3";

  /** The name of the language, and the program. */
  function shown(): readonly [label: string, text: string] {
    const planned = plannedRequest(operation, entries, page.baseUrl);
    if (shared.language === "javascript") return ["JavaScript", javaScriptExample(planned, example.key)];
    if (shared.language === "python") return ["Python", pythonExample(planned, example.key)];
    return shared.language === "client" && client !== undefined ? [texts.clientLabel, client] : ["curl", curlExample(planned, example.key)];
  }

  function choose(language: string): void {
    shared.language = language;
    redraw({});
  }

  return (
    <section class="ref-examples">
      <Title>{texts.example}</Title>
      <Segmented
        name={`ref-language-${operation.elementId}`} label={texts.exampleOf} options={options}
        chosen={shared.language in options ? shared.language : "curl"} choose={choose}
      />
      <CodeBox text={text} label={label} />
      {operation.keyFields.length > 0 && <p class="small">{example.key === YOUR_KEY ? texts.yourKeyInExample(YOUR_KEY) : texts.demoKeyInExample}</p>}
      {label === texts.clientLabel && <p class="small">{withCode(texts.clientPackage)} <a href={addressOf("guide", "clients")}>{texts.clientHow}</a></p>}
    </section>
  );
}
