import assert from "node:assert/strict";
import test from "node:test";
import { explain } from "../../../adapters/page/browser/data/explain_failure.ts";
import { createFormat } from "../../../adapters/page/browser/data/format.ts";
import { preferencesOf } from "../../../adapters/page/browser/data/preferences.ts";

const [english, persian] = (["en", "fa"] as const).map((language) => ({
  language,
  format: createFormat(preferencesOf({}, language), "Asia/Tehran"),
  limit: 50,
  now: Date.parse("2026-11-21T12:55:00Z"),
})) as [Parameters<typeof explain>[1], Parameters<typeof explain>[1]];

const cases = [
  [401, "API_KEY_MISSING", "This needs an API key", true],
  [401, "API_KEY_INVALID", "The server does not accept this key", true],
  [403, "ACCESS_RESTRICTED", "This account may not request prices", false],
  [417, "INVALID_DATE_RANGE", "The server did not accept this request", false],
  [429, "QUOTA_EXCEEDED", "Today’s 50 units are used up", true],
  [429, "RATE_LIMITED", "Too many requests in a short time", false],
  [400, "INVALID_DATE", "The server did not accept this request", false],
  [503, "STORE_UNAVAILABLE", "The server cannot answer right now", false],
  [500, "INTERNAL_ERROR", "Something went wrong on the server", false],
  [200, "UNEXPECTED_ANSWER", "This answer is not from the API", false],
  [undefined, undefined, "The server cannot be reached", false],
  [undefined, "FILE_NOT_LOADED", "A part of this page could not be loaded", false],
] as const;
test("failures: each is explained, and only the text for RATE_LIMITED says that nothing was charged", () => {
  for (const [status, code, title, wantsKey] of cases) {
    const found = explain({ status, code, message: "" }, english);
    const { text } = explain({ status, code, message: "" }, persian);
    assert.deepEqual([found.title, found.wantsKey], [title, wantsKey]);
    assert.match(text, /^[\u0600-\u06ff]/);
    assert.equal(found.text.includes("Nothing was charged"), code === "RATE_LIMITED", title);
    assert.equal(text.includes("چیزی از سهمیه کم نشد"), code === "RATE_LIMITED", title);
  }
});

test("failures: the text for a used-up quota says when the next quota day begins", () => {
  const failure = { status: 429, code: "QUOTA_EXCEEDED", message: "", resetsAt: new Date("2026-11-22T00:00:00Z") };
  assert.match(
    explain(failure, english).text,
    /^New units come on 22 Nov 2026, 03:30 Tehran \(00:00 UTC\), in 11 h 5 min\./,
  );
  assert.match(
    explain(failure, persian).text,
    /۱ آذر ۱۴۰۵، ۰۳:۳۰ تهران \(\u200e۰۰:۰۰ UTC\u200e\) می‌رسند؛ ۱۱ ساعت و ۵ دقیقهٔ دیگر/,
  );
});
