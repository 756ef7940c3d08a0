import assert from "node:assert/strict";
import { test } from "node:test";
import { renderGuide } from "../../../adapters/page/guide/render_guide.ts";
import { LANGUAGES, guideSource, sectionsOf } from "./guides.ts";

for (const language of LANGUAGES) {
  test(`guide ${language}: its HTML has an anchor for each section, and its links lead to them`, () => {
    const html = renderGuide(guideSource(language), language);
    const anchors = [...html.matchAll(/<h2 id="guide-(\w+)" tabindex="-1">[^<{]+<\/h2>/g)].map(([, name]) => name);
    assert.deepEqual(anchors, sectionsOf(language).map(({ name }) => name));
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);
    for (const href of links) assert.match(href, /^(?:#\/reference|#\/guide\/\w+|openapi\.json|docs\.md|llms\.txt)$/);
    assert.doesNotMatch(html, /\{#|\{\{errors|<script|style=/);
  });
}

test("guide: HTML in its source is refused, as the page would show it as it is", () => {
  assert.throws(() => renderGuide("# Guide\n\n<script>alert(1)</script>\n", "en"), /as it holds HTML: received "<script>/);
  assert.throws(() => renderGuide("# Guide\n\nA <b>word</b>\n", "en"), /as it holds HTML/);
});
