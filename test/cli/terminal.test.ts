import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { test } from "node:test";
import { createTerminal } from "../../adapters/cli/terminal.ts";

const EVIL = "a\u001b[2J\r\u0085\u202eb\u2067c\tنیم\u200cفاصله\n";
const ESCAPED = "a\\u001b[2J\\u000d\\u0085\\u202eb\\u2067c\tنیم\u200cفاصله\n";

test("terminal: output shows control characters and direction marks as escapes, which keep the meaning of JSON; data for a file is unchanged", async () => {
  for (const isTTY of [true, false]) {
    const [output, errors] = [Object.assign(new PassThrough(), { isTTY }), Object.assign(new PassThrough(), { isTTY })];
    const terminal = createTerminal({ input: new PassThrough(), output, errors });
    await terminal.write(EVIL);
    await terminal.write(JSON.stringify({ EVIL }));
    await terminal.writeData(EVIL);
    terminal.note(EVIL.trim());
    const shown = String(output.read(output.readableLength)); // In Node 26, `read()` returns only a part.
    assert.ok(shown.startsWith(ESCAPED), shown);
    assert.deepEqual(JSON.parse(shown.slice(ESCAPED.length, -(isTTY ? ESCAPED : EVIL).length)), { EVIL });
    assert.equal(shown.endsWith(isTTY ? ESCAPED : EVIL), true);
    assert.equal(String(errors.read()), ESCAPED);
  }
});
