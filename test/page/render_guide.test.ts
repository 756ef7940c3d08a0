import assert from "node:assert/strict";
import { test } from "node:test";
import { renderGuide } from "../../adapters/page/guide/render_guide.ts";
import { blocksOf, guideSource } from "./guides.ts";

const CHANGELOG =
  "# Changelog\n\nAbout it.\n\n## [0.2.0]\n\n### Added\n\n- `a < b` in [a file](x/y.md)\n\n## [0.1.0]\n\n- Old\n";

test("guide: links lead to the reference in the same language", () => {
  for (const [language, link] of [
    ["en", "reference#errors"],
    ["fa", "reference.fa#errors"],
  ] as const)
    assert.ok(renderGuide(guideSource(language), language, CHANGELOG).includes(`href="${link}"`), link);
});

test("guide: each example is in a box; a program in several languages shares one box, with the first language chosen", () => {
  const html = renderGuide(guideSource("en"), "en", CHANGELOG);
  const boxes = html.split('class="code"').slice(1);
  const examples = blocksOf(guideSource("en")).length;
  assert.equal(boxes.length, examples - 3, "one call exists in four languages");
  assert.equal(html.split("<pre ").length - 1, examples);
  const tabs = boxes.find((box) => box.includes("radio"))!;
  const languages = [...tabs.matchAll(/value="(\w+)"( checked)?/g)].map(
    ([, name, isChosen]) => `${name}${isChosen ?? ""}`,
  );
  assert.deepEqual(languages, ["sh checked", "js", "python", "php"]);
});

test("guide: contains the newest part of the list of changes, and no older part", () => {
  const html = renderGuide("# Guide\n\n{{changes}}\n", "fa", CHANGELOG);
  assert.match(
    html,
    /<details class="changes" lang="en" dir="ltr">.*<h3>0\.2\.0<\/h3>\s*<h4>Added<\/h4>.*<code>a &lt; b<\/code> in a file/s,
  );
  assert.doesNotMatch(html, /About|0\.1\.0|Old|\{\{changes/);
});

test("guide: HTML in the guide's source is refused, because the page would include it unescaped", () => {
  for (const source of ["<script>alert(1)</script>", "A <b>word</b>"]) {
    assert.throws(() => renderGuide(`# Guide\n\n${source}\n`, "en", CHANGELOG), /it contains HTML: received "</);
  }
});
