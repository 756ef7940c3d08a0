import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const SOURCE = readFileSync("adapters/page/browser/styles/tokens.css", "utf8");
const FOUND = SOURCE.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g);
const TOKENS = new Map([...FOUND].map(([, name, light, dark]) => [name!, { light: light!, dark: dark! }]));

/** Contrast of two colours, 1 to 21. Source: WCAG 2.2, contrast ratio. */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

const pairs = [
  ...["ink", "ink-soft", "accent", "up", "down"].flatMap((text) => ["paper", "surface", "sunken", "hover"].map((ground) => [text, ground, 4.5] as const)),
  ["on-accent", "accent", 4.5],
  ["accent", "accent-soft", 4.5],
  ["ink", "accent-soft", 4.5],
  ["warn", "warn-soft", 4.5],
  ["ink", "bad-soft", 4.5],
  ["ink-soft", "bad-soft", 4.5],
  ...["paper", "surface"].map((ground) => ["line-strong", ground, 3] as const),
] as const;
for (const [text, ground, least] of pairs) {
  for (const theme of ["light", "dark"] as const) {
    test(`colours: --${text} on --${ground} has a contrast of at least ${least} in the ${theme} theme`, () => {
      const found = contrast(TOKENS.get(text)![theme], TOKENS.get(ground)![theme]);
      assert.ok(found >= least, `${found.toFixed(2)}`);
    });
  }
}
