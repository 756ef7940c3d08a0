// Rules of style that a compiler does not check.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const MAX_LINE = 180;
/** What is older than its rule: in the page, and in the reading of tables of import. These numbers only fall. */
const LEFT = { lines: 4, functions: 9, asserts: 0 };
/** Beside an options object. */
const MAX_PARAMETERS = 3;

/** Texts, comments and regular expressions. */
const NO_CODE =
  /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\/.*|\/\*[^]*?\*\/|(?<=[(,=:[!&|?{};]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;

const SOURCES = sourcesIn("core", "adapters", "test");
const TESTS = SOURCES.filter(({ path }) => path.startsWith("test/"));

test("sources: no line has more than 180 characters, but where a text takes a third of it", () => {
  const isLong = (line: string): boolean => {
    const texts = line.match(/"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/g) ?? [];
    return (
      line.length > MAX_LINE && line.length - Math.max(0, ...texts.map((text) => text.length)) > (MAX_LINE * 2) / 3
    );
  };
  const long = SOURCES.flatMap(({ path, text }) =>
    text.split("\n").flatMap((line, i) => (isLong(line) ? [`${path}:${i + 1}`] : [])),
  );
  assert.ok(long.length <= LEFT.lines, `${long.length}:\n${long.join("\n")}`);
});

test("sources: no function has more than three parameters beside an options object", () => {
  const found = SOURCES.flatMap(({ path, text }) =>
    bracketsIn(text, /\bfunction\*? \w+(?:<[^()]*?>)?$/)
      .filter((inside) => {
        const parameters = withoutTypeArguments(inside)
          .split(",")
          .filter((one) => one.trim() !== "");
        const hasOptions = /^\s*(?:_|options\b)/.test(parameters.at(-1) ?? "");
        return parameters.length > MAX_PARAMETERS + (hasOptions ? 1 : 0);
      })
      .map((inside) => `${path}: (${inside})`),
  );
  assert.ok(found.length <= LEFT.functions, `${found.length}:\n${found.join("\n")}`);
});

// Under tsx, a failing `assert.ok` without a message takes minutes, as Node then looks for its text in a line of the whole file.
test("tests: each assert.ok says what it wanted", () => {
  const bare = TESTS.flatMap(({ path, text }) =>
    bracketsIn(text, /(?<![.\w])assert(?:\.ok)?$/)
      .filter((inside) => !/,\s*\S/.test(inside))
      .map((inside) => `${path}: (${inside})`),
  );
  assert.ok(bare.length <= LEFT.asserts, `${bare.length}:\n${bare.join("\n")}`);
});

test("tests: none keeps others from running", () => {
  assert.deepEqual(
    TESTS.filter(({ text }) => /\.only\(/.test(text.replace(NO_CODE, ""))).map(({ path }) => path),
    [],
  );
});

function sourcesIn(...folders: readonly string[]): readonly { readonly path: string; readonly text: string }[] {
  const paths = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => `${folder}/${String(name)}`),
  );
  return paths
    .filter(
      (path) => /\.(?:tsx?|mjs)$/.test(path) && !path.includes("/node_modules/") && !/\/built_\w+\.ts$/.test(path),
    )
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

function withoutTypeArguments(text: string): string {
  const shorter = text.replace(/<[^<>]*>/g, "");
  return shorter === text ? text : withoutTypeArguments(shorter);
}

/** What stands in round brackets behind such a text, with texts as `s` and inner brackets as `_`. */
function bracketsIn(text: string, before: RegExp): readonly string[] {
  const found: string[] = [];
  let code = text
    .replace(NO_CODE, (one) => (one.startsWith("//") || one.startsWith("/*") ? "" : "s"))
    .replaceAll("=>", "  ");
  for (let isDone = false; !isDone; ) {
    isDone = true;
    code = code.replace(/([([{])([^()[\]{}]*)[)\]}]/g, (_, open: string, inside: string, at: number, all: string) => {
      isDone = false;
      if (open === "(" && before.test(all.slice(Math.max(0, at - 100), at))) found.push(inside);
      return "_";
    });
  }
  return found;
}
