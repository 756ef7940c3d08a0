import assert from "node:assert/strict";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { CheckResult as Checked } from "../../adapters/cli/doctor/check.ts";
import { serving, temporaryDirectory } from "../support/cli.ts";
import { program } from "../support/cli_program.ts";
import { serveListener } from "../support/serve_listener.ts";

type NamedCheck = Checked & { readonly name: string };

/** An answer on its way through a proxy. */
interface Passing {
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
}

/** A mistake of a proxy: a change of requests, of answers, or of both. */
interface Mistake {
  readonly up?: (headers: IncomingHttpHeaders) => void;
  readonly down?: (passing: Passing, path: string) => void;
}

const drop =
  (dropped: string) =>
  (passing: Passing): void => {
    passing.headers = passing.headers.filter(([name]) => name.toLowerCase() !== dropped);
  };
const change =
  (changed: string, to: (value: string) => string) =>
  (passing: Passing): void => {
    passing.headers = passing.headers.map(([name, value]) => [name, name === changed ? to(value) : value]);
  };
const add =
  (name: string, value: string) =>
  (passing: Passing): void =>
    void passing.headers.push([name, value]);
const html = (passing: Passing): void => {
  passing.body = Buffer.from("<h1>Oops</h1>");
  passing.headers = [["Content-Type", "text/html"]];
};
const kept = new Map<string, Passing>();

/** Mistakes of a proxy. For each mistake, `wrong` is the only check that may fail. */
const MISTAKES: Readonly<Record<string, readonly [wrong: string, mistake: Mistake]>> = {
  "drops X-API-Key": ["key in X-API-Key", { up: (headers) => delete headers["x-api-key"] }],
  "drops Authorization": ["key in Authorization", { up: (headers) => delete headers.authorization }],
  "replaces error bodies": ["error bodies", { down: (passing) => passing.status === 404 && html(passing) }],
  "adds a key": ["error bodies", { up: (headers) => (headers["x-api-key"] ??= "mz_live_other") }],
  "refuses large bodies with its own page": [
    "large bodies",
    { down: (passing, path) => path.endsWith("USD_RLS") && html(passing) },
  ],
  "drops request ids": ["error bodies", { down: drop("x-request-id") }],
  "drops a quota field": ["quota fields", { down: drop("x-ratelimit-remaining") }],
  "drops ETag": ["ETag and 304", { down: drop("etag") }],
  "makes ETags weak": ["ETag and 304", { down: change("ETag", (value) => `W/${value}`) }],
  "drops If-None-Match": ["ETag and 304", { up: (headers) => delete headers["if-none-match"] }],
  "lets answers be kept": ["caches", { down: change("Cache-Control", () => "public") }],
  "keeps answers for everybody": [
    "caches",
    {
      down: (passing, path) => {
        if (path !== "/api/v1/assets/supported") return;
        if (passing.status === 200) kept.set(path, { ...passing });
        else if (passing.status === 401) Object.assign(passing, kept.get(path));
      },
    },
  ],
  "drops Accept-Encoding": ["compression", { up: (headers) => delete headers["accept-encoding"] }],
  "adds a CORS field": ["CORS", { down: add("Access-Control-Allow-Origin", "*") }],
  "answers OPTIONS itself": [
    "CORS",
    { down: (passing) => passing.status === 204 && Object.assign(passing, { headers: [], status: 403 }) },
  ],
  "adds a policy": ["page", { down: add("Content-Security-Policy", "default-src *") }],
  "routes requests for the page's files to another program": [
    "page",
    { down: (passing, path) => path.startsWith("/docs/") && html(passing) },
  ],
};

/** Starts a proxy that makes one mistake and changes nothing else. */
function proxyOf(upstream: string, { up, down }: Mistake = {}): Promise<string> {
  return serveListener((req, res) => {
    const headers: IncomingHttpHeaders = { ...req.headers };
    up?.(headers);
    const sent = request(upstream + req.url, { method: req.method!, headers, agent: false });
    sent.on("error", () => res.destroy());
    sent.on("response", (answer: IncomingMessage) => void pass(answer));
    req.pipe(sent);

    async function pass(answer: IncomingMessage): Promise<void> {
      const fields = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [NAMES[name] ?? name, value]),
      );
      const body = Buffer.concat((await answer.toArray()) as Buffer[]);
      const passing: Passing = {
        status: answer.statusCode!,
        headers: fields.filter(([name]) => name !== "transfer-encoding"),
        body,
      };
      down?.(passing, req.url!.split("?")[0]!);
      const list = passing.headers.filter(([name]) => !/^(?:content-length|connection|keep-alive)$/i.test(name));
      res.writeHead(passing.status, list.flat()).end(passing.body);
    }
  });
}
const NAMES: Readonly<Record<string, string>> = { etag: "ETag", "cache-control": "Cache-Control" };

/** A server with a key and one price that is a minute old. */
async function served(t: TestContext): Promise<{ readonly url: string; readonly key: string }> {
  const data = join(await temporaryDirectory(t), "data");
  const record = `code,value,businessTime\nUSD_RLS,1900000,${new Date(Date.now() - 60_000).toISOString()}\n`;
  assert.equal((await program(["import", "--init", "--data", data, "-"], { input: record })).code, 0);
  const key = String((await program(["keys", "create", "me", "--json", "--data", data])).json()["key"]);
  await program(["plans", "set", "FREE_STARTER", "--daily-units", "10000", "--data", data]);
  const { url } = await serving(t, ["--data", data, "--behind-proxy", "127.0.0.1"]);
  return { url, key };
}

async function examine(
  url: string,
  key: string,
): Promise<{ readonly code: number; readonly findings: readonly NamedCheck[] }> {
  const run = await program(["doctor", url, "--json"], { env: { MAZANEH_KEY: key } });
  return { code: run.code, findings: run.json()["findings"] as unknown as NamedCheck[] };
}

test("doctor: a correct server passes all checks, even behind a proxy, and the checks cost four units", async (t) => {
  const { url, key } = await served(t);
  const left = async () =>
    Number(
      (await fetch(`${url}/api/v1/access`, { headers: { "X-API-Key": key } })).headers.get("x-ratelimit-remaining"),
    );
  const before = await left();
  for (const [at, address] of [url, await proxyOf(url)].entries()) {
    const { code, findings } = await examine(address, key);
    assert.ok(
      findings.every(({ is }) => is === "right"),
      JSON.stringify(findings),
    );
    assert.equal(code, 0);
    assert.equal(before - (await left()), 4 * (at + 1));
  }
  const { out, code } = await program(["doctor", url]);
  assert.match(
    out,
    /^right {2}error bodies: come as the server writes them[\s\S]*^- {6}feed: needs a key[\s\S]*^Nothing is wrong\.$/m,
  );
  assert.equal(code, 0);
});

test("doctor: each mistake of a proxy is named, with advice", async (t) => {
  const { url, key } = await served(t);
  for (const [what, [name, mistake]] of Object.entries(MISTAKES)) {
    const { code, findings } = await examine(await proxyOf(url, mistake), key);
    const wrongs = findings.filter(({ is }) => is === "wrong");
    assert.ok(
      wrongs.some((one) => one.name === name) && wrongs.every((one) => "todo" in one),
      `${what}: ${JSON.stringify(wrongs)}`,
    );
    assert.equal(code, 65, what);
  }
});

test("doctor: finds a wrong clock, scheme or key; ends with exit code 75 if no server of this API answers at the address", async (t) => {
  const { url, key } = await served(t);
  const run = await program(["doctor", url, "--json"], { env: { MAZANEH_KEY: key }, now: "2020-01-01T00:00:00Z" });
  assert.match(
    String((run.json()["findings"] as unknown as NamedCheck[]).find(({ name }) => name === "clock")?.found),
    /differ by \d+ seconds/,
  );
  const https = await proxyOf(url, { up: (headers) => (headers["x-forwarded-proto"] = "https") });
  assert.ok(
    (await examine(https, key)).findings.some(({ name, is }) => name === "scheme" && is === "wrong"),
    "the server assumes that the scheme is https",
  );
  const { findings } = await examine(url, key.replace(/.{4}$/, "0000"));
  assert.match(findings.find(({ name }) => name === "key in X-API-Key")!.found, /is refused with 401 API_KEY_INVALID/);
  assert.ok(!JSON.stringify(findings).includes(key.slice(10)), "the key is not printed");

  const other = await serveListener((_, res) => res.end("hello"));
  for (const address of [other, "http://127.0.0.1:1"]) assert.equal((await program(["doctor", address])).code, 75);
});
