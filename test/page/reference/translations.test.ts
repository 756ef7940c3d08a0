import assert from "node:assert/strict";
import { test } from "node:test";
import { readReference } from "../../../adapters/page/browser/reference/operations.ts";
import { persianOf, translatedTexts } from "../../../adapters/page/browser/reference/translations.ts";
import { createOpenApi, openApiRoute } from "../../../core/openapi/mod.ts";

const { operations } = readReference(JSON.parse(JSON.stringify(createOpenApi({ routes: [openApiRoute()] }))));
const shown = new Set(operations.flatMap(({ summary, description, parameters, body, answers, errors }) => [
  summary,
  ...description,
  ...parameters.map((parameter) => parameter.description ?? ""),
  ...[body, ...answers.map((answer) => answer.body)].flatMap((one) => one?.fields.map((field) => field.description ?? "") ?? []),
  ...answers.flatMap(({ headers }) => headers.map((field) => field.description)),
  ...errors.map(({ message }) => message),
]));

test("reference in Persian: every text of the nine routes is translated, with the same names in it", () => {
  assert.ok(shown.size > 90, `${shown.size} texts`);
  for (const text of shown) {
    const persian = persianOf(text);
    assert.match(persian ?? "", /[\u0600-\u06ff]/, text);
    for (const [name] of text.matchAll(/`[^`]+`|\b[a-z]+[A-Z]\w*\b|X-API-Key|Retry-After/g)) assert.ok(persian?.includes(name), `${text}: ${name}`);
  }
});

test("reference in Persian: no translation is left of a text that the document no longer has", () => {
  for (const text of translatedTexts()) assert.ok(shown.has(text) || text === "Seconds after which to try again", text);
});
