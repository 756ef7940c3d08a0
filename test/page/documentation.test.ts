import assert from "node:assert/strict";
import { test } from "node:test";
import { documentationOf } from "../../adapters/page/browser/data/addresses.ts";

const cases = [
  [undefined, "https://a.example", undefined],
  ["https://keys.example/how", "https://a.example", "https://keys.example/how"],
  ["/guide?a=b", "https://a.example/market", "https://a.example/guide?a=b"],
  ["/docs", "https://a.example", undefined],
  ["/docs#keys", "https://a.example", undefined],
  ["/market/docs", "https://a.example/market", undefined],
  ["/docs", "https://a.example/market", "https://a.example/docs"],
  ["https://b.example/docs", "https://a.example", "https://b.example/docs"],
  ["javascript:alert(1)", "https://a.example", undefined],
] as const;
for (const [documentationUrl, baseUrl, url] of cases) {
  test(`documentation: the page at ${baseUrl}/docs with ${documentationUrl} leads to ${url ?? "its own guide"}`, () => {
    assert.equal(documentationOf({ documentationUrl }, baseUrl), url);
  });
}
