// The examples of the reference run as they are shown, against a server that writes down what it gets.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { exampleKey } from "../../../adapters/page/browser/example_key.ts";
import { curlExample, javaScriptExample, pythonExample } from "../../../adapters/page/browser/reference/examples.ts";
import type { Operation } from "../../../adapters/page/browser/reference/operations.ts";
import { hasDotSegments, plannedRequest } from "../../../adapters/page/browser/reference/request.ts";
import type { PlannedRequest } from "../../../adapters/page/browser/reference/request.ts";

const run = promisify(execFile);
const KEY = "mz_test_KEY";

interface Received {
  readonly target: string | undefined;
  readonly method: string | undefined;
  readonly path: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  readonly key: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
}

let received: Received[] = [];
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request.setEncoding("utf8")) body += chunk;
  const url = new URL(request.url ?? "", "http://server");
  received.push({
    target: request.url,
    method: request.method,
    path: url.pathname.split("/").map(decodeURIComponent),
    query: [...url.searchParams],
    key: request.headers["x-api-key"]?.toString() ?? request.headers.authorization,
    contentType: request.headers["content-type"],
    body,
  });
  response.end("ok");
});
let baseUrl = "";
let folder = "";
before(async () => {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/market`; // it listens on a port
  folder = mkdtempSync(join(tmpdir(), "mazaneh-examples-"));
});
after(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

const SHAPE = { type: "string", format: undefined, values: [], limits: undefined, isList: false };
const OPERATION: Operation = {
  id: "getThing", elementId: "getThing", method: "GET", path: "/api/v1/things/{name}", isOwn: true, summary: "", description: [],
  keyFields: ["X-API-Key", "Authorization"], charge: "success",
  parameters: [
    { name: "name", place: "path", required: true, description: undefined, shape: SHAPE, example: "" },
    { name: "note", place: "query", required: false, description: undefined, shape: SHAPE, example: "" },
    { name: "from", place: "query", required: false, description: undefined, shape: SHAPE, example: "" },
  ],
  body: undefined, answers: [], errors: [],
};
const POST: Operation = { ...OPERATION, method: "POST", body: { contentType: "application/json", shape: SHAPE, fields: [], example: undefined } };

/** What a visitor, or somebody who gives a visitor a text to paste, may enter. */
const TEXTS = [
  "USD_RLS", "دلار آمریکا", "it's \"quoted\" `uname` $KEY $(uname) ${KEY}", "back\\slash\\n \\' \\\"", "line one\nline two\r\n\ttab", "' ; echo broken; '", "%41%zz+&=?#/;:,@",
  "emoji 😀 \u2028 \u0085 \u200c", "@/etc/hostname", "{a,b}[1-3]", "-X DELETE", "!history! *", "half \ud83d", "\"\"\" ''' {{}} %s {0}", "<script>alert(1)</script>", "\\\n", " ",
];
/** A body that is JSON may be written anew where that changes nothing but white space and escapes. */
const BODIES: readonly (readonly [body: string, mayBeWrittenAnew: boolean])[] = [
  ['{"fromDate":"2026-11-14","toDate":"2026-11-20"}', true],
  ['{"ok":true,"none":null,"n":[1,2.5,false],"fa":"ریال","quote":"it\'s \\"so\\" \\\\ \\n $KEY"}', true],
  ["{ }", true],
  ['"half \\ud83d"', true],
  ["", false],
  ["no json's \"text\" \\ $KEY\nsecond line", false],
  ['{"__proto__":{"a":1}}', false],
  ['{"a":1,"a":2}', false],
  ['{"big":12345678901234567890,"cents":2.50,"path":"\\/"}', false],
  ["@/etc/hostname", false],
  ["' ; echo broken; '", false],
];

const SENT = [
  ...TEXTS.map((text, at) => ({ operation: OPERATION, text, body: "", anew: false, keyForm: (["X-API-Key", "Authorization", "none"] as const)[at % 3] ?? "none" as const })),
  ...BODIES.map(([body, anew], at) => ({ operation: POST, text: "USD_RLS", body, anew, keyForm: (["Authorization", "X-API-Key"] as const)[at % 2] ?? "none" as const })),
];
type Sent = (typeof SENT)[number];

function planned({ operation, text, body, keyForm }: Sent): PlannedRequest {
  return plannedRequest(operation, { values: { name: text, note: text, from: "" }, body, keyForm }, baseUrl);
}

/** Runs the examples of all requests in one process, one after the other, and checks what arrived. */
async function checkAll(programOf: (request: PlannedRequest, key: string) => string, start: (program: string) => Promise<unknown>): Promise<void> {
  received = [];
  await start(SENT.map((one) => programOf(planned(one), KEY)).join("\n"));
  assert.equal(received.length, SENT.length);
  SENT.forEach(({ operation, text, body, anew, keyForm }, at) => {
    const got = received[at];
    const whole = text.replace(/\p{Surrogate}/gu, "\ufffd");
    assert.deepEqual([got?.method, got?.path, got?.query], [operation.method, ["", "market", "api", "v1", "things", whole], [["note", whole]]]);
    assert.equal(got?.key, { "X-API-Key": KEY, Authorization: `ApiKey ${KEY}`, none: undefined }[keyForm]);
    if (operation === POST) assert.equal(got?.contentType, "application/json");
    if (anew) assert.deepEqual(JSON.parse(got?.body ?? ""), JSON.parse(body));
    else assert.equal(got?.body, body);
  });
}

async function has(command: string, ...args: readonly string[]): Promise<boolean> {
  return run(command, args).then(() => true, () => false);
}

const OPTIONS = { env: { ...process.env, KEY: "", PYTHONDONTWRITEBYTECODE: "1", NO_PROXY: "*" }, timeout: 60_000 };

test("examples: a shell runs each curl command, and the server gets what was entered", async (t) => {
  if (!(await has("curl", "--version"))) return t.skip("NOT CHECKED: there is no curl here");
  await checkAll(curlExample, async (program) => run("sh", ["-c", program], OPTIONS));
});

for (const [name, isRemoved] of [[".", true], ["..", true], ["...", false], [".a", false], ["%2e%2e", false], ["a/..", false], ["../x", false]] as const) {
  test(`examples: a path with "${name}" is ${isRemoved ? "none that a browser can send" : "sent as it is"}, and curl sends it`, async (t) => {
    const request = plannedRequest(OPERATION, { values: { name }, body: "", keyForm: "none" }, baseUrl);
    assert.equal(hasDotSegments(request), isRemoved);
    const path = `/market/api/v1/things/${encodeURIComponent(name)}`;
    assert.equal(new URL(request.url).pathname === path, !isRemoved, "what a browser makes of it");
    if (!(await has("curl", "--version"))) return t.skip("NOT CHECKED: there is no curl here");
    received = [];
    await run("sh", ["-c", curlExample(request, KEY)], OPTIONS);
    assert.equal(received[0]?.target, path);
  });
}

test("examples: node runs each JavaScript module, and the server gets what was entered", async () => {
  const file = join(folder, "example.mjs");
  await checkAll((request, key) => `{\n${javaScriptExample(request, key)}\n}`, async (program) => {
    writeFileSync(file, program);
    await run(process.execPath, [file], OPTIONS);
  });
});

test("examples: python runs each program, and the server gets what was entered", async (t) => {
  if (!(await has("python3", "--version"))) return t.skip("NOT CHECKED: there is no python3 here");
  const file = join(folder, "example.py");
  if (await has("python3", "-c", "import requests")) {
    return checkAll(pythonExample, async (program) => {
      writeFileSync(file, program);
      await run("python3", [file], OPTIONS);
    });
  }
  t.diagnostic("NOT RUN: python3 has no package requests here; only the syntax is checked");
  writeFileSync(file, JSON.stringify(SENT.map((one) => pythonExample(planned(one), KEY))));
  await run("python3", ["-c", "import ast, json, sys; [ast.parse(text) for text in json.load(open(sys.argv[1], encoding='utf-8'))]", file], OPTIONS);
});

test("examples: a request without a key names none, and only the demo key is ever shown", () => {
  const request = plannedRequest(OPERATION, { values: { name: "USD_RLS" }, body: "", keyForm: "none" }, "http://prices.example");
  for (const program of [curlExample, javaScriptExample, pythonExample]) assert.doesNotMatch(program(request, "mz_live_1"), /KEY|mz_live/);
  assert.equal(exampleKey({ key: "mz_live_1", settings: { demoKey: "mz_live_1" } }), "mz_live_1");
  for (const [key, demoKey] of [["mz_live_2", "mz_live_1"], ["mz_live_2", undefined], [undefined, "mz_live_1"], [undefined, undefined]] as const) {
    assert.equal(exampleKey({ key, settings: demoKey === undefined ? {} : { demoKey } }), "YOUR_KEY");
  }
});
