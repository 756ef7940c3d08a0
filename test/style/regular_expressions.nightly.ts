// Regular expressions read untrusted text, so their time must not grow faster than the length of the text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "recheck";
import { isNewExpression, isRegularExpressionLiteral, type Node } from "typescript/unstable/ast";
import { API } from "typescript/unstable/sync";

/** The default time limit of the checker, one second for each attack, is too short on a busy machine. */
const LIMITS = { timeout: 120_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };
/** Expressions that are accepted although they are not linear, each with the reason. */
const ACCEPTED = [
  /(mz_live_[0-9a-z]{8}_|[0-9a-z]{0,12}_live_|[0-9a-z]{1,12}_test_(?=\w{16}))\w+/gi, // linear: times 12
  / ?\(.*\)$/, // in a time of 80 characters
  / *\/ */g, // the same
  /\B(?=(\d{3})+$)/g, // in the digits of a number
  /\/*(\/api\/v1)?\/*$/, // in the operator's base URL
  /<(?:section|h2)[^>]* id="([^"]+)"[^>]*>(?:\s|<div[^>]*>|<h2[^>]*>)*([^]*?)<\/h2>/g, // in our own page
].map(String);

test("regular expressions: all take linear time", async (t) => {
  const files = new Map<string, string>();
  const makers = new Set<string>();
  const api = new API();
  const { rootFiles, program } = api.updateSnapshot({ openProjects: ["tsconfig.json"] }).getProjects()[0]!;
  for (const path of rootFiles) {
    const file = path.slice(process.cwd().length + 1);
    const visit = (node: Node): void => {
      if (isRegularExpressionLiteral(node)) files.set(node.text, file);
      if (isNewExpression(node) && node.expression.getText() === "RegExp") makers.add(file);
      node.forEachChild(visit);
    };
    if (/^(?:core|adapters)/.test(file)) visit(program.getSourceFile(path)!);
  }
  api.close();
  // Loading workbook.ts also creates the expressions of xml_elements.ts.
  const imports = ["cli/import/workbook", "cli/import/xml_elements"];
  const modules = [...imports, "feeds/push/push_store", "intake/tables/detect_price_unit"].map(
    (name) => `adapters/${name}.ts`,
  );
  assert.deepEqual([...makers].sort(), modules);
  const { mock } = t.mock.method(globalThis, "RegExp");
  await import("../../adapters/cli/import/workbook.ts");
  await import("../../adapters/feeds/push/push_store.ts");
  await import("../../adapters/intake/tables/detect_price_unit.ts");
  for (const { result } of mock.calls) files.set(String(result), modules.join(", "));
  const slow = ACCEPTED.filter((text) => !files.has(text)).map((text) => `${text} is not in any source`);
  for (const [text, file] of files) {
    if (ACCEPTED.includes(text)) continue;
    const end = text.lastIndexOf("/");
    const found = await check(text.slice(1, end), text.slice(end + 1), LIMITS);
    if (found.status !== "safe") slow.push(`${file}: ${text}: ${"attack" in found ? found.attack.pattern : "unknown"}`);
  }
  assert.deepEqual(slow, []);
});
