import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseQuery, parseTarget, pathOf, queryFailure } from "../../../core/http/request_target.ts";
import { anyText, properText } from "../../support/generators.ts";
import { runs } from "../../support/suite_size.ts";

const targetParts = fc.constantFrom(
  ..."/ // /. /.. . .. /./ /../ %2e %2E%2e /.%2e %2f %2F %5c \\ %00 \0".split(" "),
  ..."% %2 %zz %25 %252e %252f %C3%A9 %c3 %ff %ED%A0%80 %20 %0a \ud800 é \n".split(" "),
  ..."? # ; + * ~ a B http://h HTTPS://u:p@h:1 http: assets /api/v1/assets".split(" "),
  " ",
);
const anyTarget = fc.oneof(
  anyText,
  properText,
  fc.array(fc.oneof({ weight: 5, arbitrary: targetParts }, anyText), { maxLength: 12 }).map((parts) => parts.join("")),
  fc.array(targetParts, { maxLength: 12 }).map((parts) => `/${parts.join("")}`),
);

test("target: no text makes the parser throw, and no accepted target has a segment that a proxy or file system could misread", () => {
  let accepted = 0;
  fc.assert(
    fc.property(anyTarget, (raw) => {
      const target = parseTarget(raw);
      assert.equal(typeof pathOf(raw), "string");
      if (!target.ok) return;
      accepted++;
      const { segments, query } = target.value;
      segments.forEach((segment, index) => {
        assert.ok(segment !== "." && segment !== ".." && !/[/\\\0]/.test(segment), JSON.stringify(segment));
        assert.ok(segment !== "" || index === segments.length - 1, "an empty segment");
      });
      if (!raw.startsWith("/")) return;
      const path = pathOf(raw);
      assert.match(path, /^\/[\x21-\x7e]*$/);
      assert.equal(`/${segments.join("/")}`, decodeURIComponent(path));
      assert.ok(raw === path || raw === `${path}?${query}`, raw);
    }),
    { numRuns: runs(600) },
  );
  assert.ok(accepted > 20, `${accepted} accepted`);
});

const safeSegment = properText.filter((text) => text !== "" && text !== "." && text !== ".." && !/[/\\\0]/.test(text));

test("target: segments written with encodeURIComponent are parsed back, in both forms of a target", () => {
  const path = fc.array(safeSegment, { minLength: 1, maxLength: 6 });
  const origins = fc.constantFrom("", "http://h", "HTTPS://h.example:8443");
  fc.assert(
    fc.property(path, fc.webQueryParameters(), origins, (segments, query, origin) => {
      const path = `/${segments.map(encodeURIComponent).join("/")}`;
      const target = parseTarget(`${origin}${path}?${query}`);
      assert.deepEqual(target, { ok: true, value: { segments, query } });
    }),
    { numRuns: runs(30, 100) },
  );
});

const KNOWN: readonly string[] = ["from", "to", "codes"];

test("query: no text makes the parser throw, and only known names are returned", () => {
  const parts = fc.constantFrom(..."from to %66rom x __proto__ = & + %2B % %zz %ff é \ud800".split(" "));
  const anyQuery = fc.oneof(
    anyText,
    fc.array(parts, { maxLength: 30 }).map((texts) => texts.join("")),
  );
  fc.assert(
    fc.property(anyQuery, (text) => {
      const query = parseQuery(text, KNOWN);
      if (!query.ok) return assert.equal(query.error.code, "DUPLICATE_PARAMETER");
      for (const name of query.value.keys()) assert.ok(KNOWN.includes(name), text);
    }),
    { numRuns: runs(60, 400) },
  );
});

test("query: reads what URLSearchParams writes; refuses a repeated known name and more than 32 pairs", () => {
  const name = fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...KNOWN, "x", "__proto__") }, properText);
  const special = fc.array(fc.constantFrom(" ", "+", "&", "=", "%", "%20", "_", "a", "ی"), { maxLength: 6 });
  const value = fc.oneof(
    properText,
    special.map((parts) => parts.join("")),
  );
  const pairs = fc.oneof(
    { weight: 4, arbitrary: fc.array(fc.tuple(name, value), { maxLength: 5 }) },
    fc.array(fc.tuple(fc.constant("x"), properText), { minLength: 30, maxLength: 35 }),
  );
  fc.assert(
    fc.property(pairs, (list) => {
      const params = new URLSearchParams(list.map(([key, value]): [string, string] => [key, value]));
      const query = parseQuery(params.toString(), KNOWN);
      assert.equal(queryFailure(params.toString())?.code, list.length > 32 ? "INVALID_REQUEST" : undefined);
      if (KNOWN.some((known) => params.getAll(known).length > 1))
        return assert.equal(!query.ok && query.error.code, "DUPLICATE_PARAMETER");
      assert.ok(query.ok, params.toString());
      assert.deepEqual(new Map(query.value), new Map(list.filter(([key]) => KNOWN.includes(key))));
    }),
    { numRuns: runs(40, 200) },
  );
});
