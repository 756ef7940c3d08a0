import assert from "node:assert/strict";
import { test } from "node:test";
import { createWorld } from "../../support/world.ts";

test("docs: a notice is asked for at each request, and stands on the page as text", async () => {
  let notice: string | undefined = 'Prices are <made up> & "late"';
  const { ask } = await createWorld({ notice: async () => notice });
  const page = await ask("/docs", { key: null });
  assert.equal(page.status, 200);
  assert.ok(page.text.includes("<p><strong>Prices are &#60;made up&#62; &#38; &#34;late&#34;</strong></p>\n<table>"), page.text);
  notice = undefined;
  assert.ok(!(await ask("/docs", { key: null })).text.includes("<strong>"));
});

test("docs: a notice that fails is an error of the server: 500", async () => {
  const { ask, errors } = await createWorld({
    notice: () => {
      throw new Error("no notice");
    },
  });
  assert.equal((await ask("/docs", { key: null })).status, 500);
  assert.equal(errors.length, 1);
});
