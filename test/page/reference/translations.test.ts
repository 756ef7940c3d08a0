import assert from "node:assert/strict";
import { test } from "node:test";
import { readReference } from "../../../adapters/page/browser/reference/operations.ts";
import { adviceFor } from "../../../adapters/page/browser/reference/status_messages.ts";
import { persianOf, translatedTexts } from "../../../adapters/page/browser/reference/translations.ts";
import { createOpenApi, openApiRoute } from "../../../core/openapi/mod.ts";

const { operations } = readReference(JSON.parse(JSON.stringify(createOpenApi({ routes: [openApiRoute()] }))));
const shown = new Set(operations.flatMap(({ summary, description, parameters, body, answers }) => [
  summary,
  ...description,
  ...parameters.map((parameter) => parameter.description ?? ""),
  ...[body, ...answers.map((answer) => answer.body)].flatMap((one) => one?.fields.map((field) => field.description ?? "") ?? []),
  ...answers.flatMap(({ headers }) => headers.map((field) => field.description)),
]));

test("reference in Persian: every text of the nine routes is translated, with the same names in it", () => {
  assert.ok(shown.size > 70, `${shown.size} texts`);
  for (const text of shown) {
    const persian = persianOf(text);
    assert.match(persian ?? "", /[\u0600-\u06ff]/, text);
    for (const [name] of text.matchAll(/`[^`]+`|\b[a-z]+[A-Z]\w*\b|X-API-Key|Retry-After/g)) assert.ok(persian?.includes(name), `${text}: ${name}`);
  }
});

test("reference: every error of every route has advice in both languages", () => {
  for (const { code } of operations.flatMap(({ errors }) => errors)) {
    assert.match(adviceFor(code, "fa") ?? "", /[\u0600-\u06ff]/, code);
    assert.match(adviceFor(code, "en") ?? "", /^[A-Z]/, code);
  }
  assert.equal(adviceFor("toString", "en"), undefined);
});

test("reference in Persian: no translation is left of a text that the document no longer has", () => {
  for (const text of translatedTexts()) assert.ok(shown.has(text) || text === "Seconds after which to try again", text);
});
