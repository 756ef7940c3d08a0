// The examples of the reference are run unchanged against a server that records the requests.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { exampleKey, examplesOf } from "../../../adapters/page/reference/examples.ts";
import { BODY, type Call, plannedRequest } from "../../../adapters/page/reference/request.ts";
import { serveListener } from "../../support/serve_listener.ts";

const run = promisify(execFile);
const KEY = "mz_test_KEY";

type ExampleLanguage = keyof ReturnType<typeof examplesOf>;

/** Method, path, query, key, content type and body of each request. */
let received: unknown[] = [];
const origin = await serveListener(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const { method, url = "", headers } = request;
  const { pathname, searchParams } = new URL(url, "http://server");
  const path = pathname.split("/").map(decodeURIComponent);
  received.push([method, path, [...searchParams], headers["x-api-key"], headers["content-type"], body]);
  response.end("ok");
});
const folder = mkdtempSync(join(tmpdir(), "mazaneh-examples-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const PARAMETER = { isRequired: true, isTime: false, type: "string", values: [], example: "" };
const CALL: Call = {
  method: "GET",
  path: "/api/v1/things/{name}",
  needsKey: true,
  body: undefined,
  parameters: [
    { ...PARAMETER, name: "name", place: "path" },
    { ...PARAMETER, name: "note", place: "query" },
    { ...PARAMETER, name: "from", place: "query" },
  ],
};
const POST: Call = { ...CALL, method: "POST", body: { contentType: "application/json", text: "" } };

/** Texts that a visitor may enter or paste, even by mistake. */
const TEXTS = [
  "USD_RLS",
  "دلار آمریکا",
  'it\'s "quoted" `uname` $KEY $(uname) ${KEY}',
  "back\\slash\\n \\' \\\"",
  "line one\nline two\r\n\ttab",
  "' ; echo broken; '",
  "%41%zz+&=?#/;:,@",
  "emoji 😀 \u2028 \u0085 \u200c",
  "@/etc/hostname",
  "{a,b}[1-3]",
  "-X DELETE",
  "!history! *",
  "half \ud83d",
  "\"\"\" ''' {{}} %s {0}",
  "<script>alert(1)</script>",
  "\\\n",
  " ",
];
const BODIES = [
  '{"fromDate":"2026-11-14","toDate":"2026-11-20"}',
  '{"fa":"ریال","quote":"it\'s \\"so\\" \\\\ \\n $KEY"}',
  "",
  'no json\'s "text" \\ $KEY\nsecond line',
  '{"__proto__":{"a":1}}',
  "@/etc/hostname",
  "' ; echo broken; '",
  "?> <?php */ // #",
  "half \ud83d",
];

const SENT = [
  ...TEXTS.map((text, at) => ({ call: { ...CALL, needsKey: at % 3 > 0 }, text, body: "" })),
  ...BODIES.map((body) => ({ call: POST, text: "USD_RLS", body })),
];

/** Runs the examples of all requests one by one in one process, and checks the requests that arrive. */
async function checkAll(
  language: ExampleLanguage,
  start: (programs: readonly string[]) => Promise<unknown>,
): Promise<void> {
  received = [];
  await start(
    SENT.map(({ call, text, body }) => {
      const values = { name: text, note: text, from: "", [BODY]: body };
      return examplesOf(plannedRequest(call, values, `${origin}/market`), KEY)[language];
    }),
  );
  const whole = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");
  assert.deepEqual(
    received,
    SENT.map(({ call, text, body }) => [
      call.method,
      ["", "market", "api", "v1", "things", whole(text)],
      [["note", whole(text)]],
      call.needsKey ? KEY : undefined,
      call.body?.contentType,
      whole(body),
    ]),
  );
}

const OPTIONS = { env: { ...process.env, KEY: "", PYTHONDONTWRITEBYTECODE: "1", NO_PROXY: "*" }, timeout: 300_000 };

/** For each language, a command that shows whether it is installed, and a function that runs programs. */
const RUNS: readonly (readonly [
  ExampleLanguage,
  readonly [string, ...string[]],
  (programs: readonly string[]) => Promise<unknown>,
])[] = [
  ["sh", ["curl", "--version"], (programs) => run("sh", ["-c", programs.join("\n")], OPTIONS)],
  [
    "js",
    ["node", "--version"],
    (programs) =>
      run(
        process.execPath,
        [written("example.mjs", programs.map((program) => `{\n${program}\n}`).join("\n"))],
        OPTIONS,
      ),
  ],
  [
    "python",
    ["python3", "-c", "import requests"],
    (programs) => run("python3", [written("example.py", programs.join("\n"))], OPTIONS),
  ],
  [
    "php",
    ["php", "--version"],
    (programs) =>
      run("php", [written("example.php", `<?php\n${programs.join("\n").replaceAll(/^<\?php$/gm, "")}`)], OPTIONS),
  ],
];
for (const [language, [command, ...args], start] of RUNS) {
  test(`examples: ${language}: each program runs unchanged, and the server receives the entered values`, async (t) => {
    const isMissing = await run(command, args).then(
      () => false,
      () => true,
    );
    if (isMissing) return t.skip(`NOT CHECKED: "${command} ${args.join(" ")}" fails here`);
    return checkAll(language, start);
  });
}

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test("examples: a request that needs no key has none, and only the demo key is ever shown", () => {
  const request = plannedRequest({ ...CALL, needsKey: false }, { name: "USD_RLS" }, "http://prices.example");
  for (const program of Object.values(examplesOf(request, "mz_live_1"))) assert.doesNotMatch(program, /KEY|mz_live/);
  assert.equal(exampleKey("mz_live_1", { demoKey: "mz_live_1" }), "mz_live_1");
  for (const key of ["mz_live_2", undefined])
    for (const settings of [{ demoKey: "mz_live_1" }, {}]) assert.equal(exampleKey(key, settings), "YOUR_KEY");
});
