// Rules of style that neither the compiler nor the linter checks.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** String literals, comments and regular expressions. */
const NO_CODE =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\/.*|\/\*[^]*?\*\/|(?<=[(,=:[!&|?{};]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;

// Under tsx, a failing `assert.ok` without a message takes minutes, because Node searches one huge line for the call.
test("tests: each assert.ok has a message", () => {
  const sources = readdirSync("test", { recursive: true, encoding: "utf8" }).filter(
    (name) => /\.(?:ts|mjs)$/.test(name) && !name.includes("node_modules/"),
  );
  const bare = sources.flatMap((name) =>
    argumentsOfAsserts(readFileSync(`test/${name}`, "utf8"))
      .filter((inside) => !/,\s*\S/.test(inside))
      .map((inside) => `${name}: (${inside})`),
  );
  assert.deepEqual(bare, []);
});

/** Returns the arguments of each call of `assert.ok`, with `s` in place of texts and `_` in place of inner brackets. */
function argumentsOfAsserts(text: string): readonly string[] {
  const found: string[] = [];
  let code = text
    .replace(NO_CODE, (one) => (one.startsWith("//") || one.startsWith("/*") ? "" : "s"))
    .replaceAll("=>", "  ");
  for (let isDone = false; !isDone; ) {
    isDone = true;
    code = code.replace(/[([{]([^()[\]{}]*)[)\]}]/g, (brackets, inside: string, at: number, all: string) => {
      isDone = false;
      const before = all.slice(Math.max(0, at - 100), at);
      if (brackets.startsWith("(") && /(?<![.\w])assert(?:\.ok)?$/.test(before)) found.push(inside);
      return "_";
    });
  }
  return found;
}

test("SECURITY.md: each test that it links to exists in that file, with that title", () => {
  const links = [...readFileSync("SECURITY.md", "utf8").matchAll(/\[([^\]]+)\]\((test\/[^)]+)\)/g)];
  assert.ok(links.length >= 30, `${links.length} tests`);
  const missing = links.filter(([, title = "", file = ""]) => {
    const source = readFileSync(file, "utf8").replace(/\$\{[^{}]*\}/g, "…");
    return ![`"${title}"`, `\`${title}\``, `\n## ${title}\n`].some((named) => source.includes(named));
  });
  assert.deepEqual(
    missing.map(([link]) => link),
    [],
  );
});
