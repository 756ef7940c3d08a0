// `mazaneh doctor` before nginx and Caddy, as fixtures/deploy configures them, and with mistakes in their configuration.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { NAME } from "../support/attacks.ts";
import { mazaneh, servingChild, spawned, temporaryDirectory } from "../support/cli.ts";
import { startCaddy } from "./caddy.ts";
import { hasCommand } from "./machine.ts";
import { startNginx } from "./nginx.ts";
import type { Changes, Proxy } from "./proxy.ts";

interface Kind {
  readonly name: string;
  readonly start: (t: TestContext, upstreamPort: number, changes?: Changes) => Promise<Proxy>;
  /** So that the name of the certificate leads to this machine. */
  readonly local: Changes;
  /** What is wrong, and the mistake that makes it so. */
  readonly mistakes: readonly (readonly [wrong: string, mistake: Changes])[];
}

/** A line in the part of nginx's configuration that passes requests on. */
const nginx = (line: string): Changes => [[/proxy_http_version 1\.1;/, `proxy_http_version 1.1; ${line}`]];
const caddy = (line: string): Changes => [[/^\t\ttransport http \{/m, `\t\t${line}\n\t\ttransport http {`]];

const KINDS: readonly Kind[] = [
  {
    name: "nginx",
    start: startNginx,
    local: [[new RegExp(`server_name ${NAME};`, "g"), "server_name localhost;"]],
    mistakes: [
      ["key in X-API-Key", nginx('proxy_set_header X-API-Key "";')],
      ["key in Authorization", nginx('proxy_set_header Authorization "";')],
      ["ETag and 304", nginx('proxy_set_header Accept-Encoding ""; gzip on; gzip_types *; gzip_proxied any;')],
      ["ETag and 304", nginx("proxy_hide_header ETag;")],
      ["compression", nginx('proxy_set_header Accept-Encoding "";')],
      ["error bodies", nginx("proxy_intercept_errors on; error_page 404 /none.html;")],
      ["error bodies", nginx("proxy_hide_header X-Request-Id;")],
      ["quota fields", nginx("proxy_hide_header X-RateLimit-Remaining;")],
      ["CORS", nginx("add_header Access-Control-Allow-Origin * always;")],
      ["page", nginx('add_header Content-Security-Policy "default-src *" always;')],
      [
        "caches",
        [
          [/^upstream mazaneh/m, "proxy_cache_path cache keys_zone=kept:1m;\nupstream mazaneh"],
          ...nginx(
            "proxy_cache kept; proxy_cache_key $uri; proxy_cache_valid 200 1m; proxy_ignore_headers Cache-Control Vary Expires;",
          ),
        ],
      ],
      ["scheme", [[/proxy_set_header X-Forwarded-Proto \$scheme;/, "proxy_set_header X-Forwarded-Proto http;"]]],
      ["large bodies", [[/error_page 413 @large;/, ""]]],
    ],
  },
  {
    name: "caddy",
    start: startCaddy,
    local: [[new RegExp(`^${NAME} \\{`, "m"), "localhost {"]],
    mistakes: [
      ["key in X-API-Key", caddy("header_up -X-API-Key")],
      ["key in Authorization", caddy("header_up -Authorization")],
      ["ETag and 304", caddy("header_down -ETag")],
      ["ETag and 304", caddy("header_up -If-None-Match")],
      ["compression", caddy("header_up Accept-Encoding identity")],
      ["error bodies", caddy("header_down -X-Request-Id")],
      ["quota fields", caddy("header_down -X-RateLimit-Remaining")],
      ["CORS", caddy("header_down +Access-Control-Allow-Origin *")],
      ["page", caddy('header_down +Content-Security-Policy "default-src *"')],
      ["caches", caddy('header_down Cache-Control "public, max-age=60"')],
      ["scheme", caddy("header_up X-Forwarded-Proto http")],
    ],
  },
];

for (const { name, start, local, mistakes } of KINDS) {
  const missing = [name, "openssl"].filter((command) => !hasCommand(command));
  test(`doctor: ${name} as fixtures/deploy configures it is right, and ${mistakes.length} mistakes are found`, {
    skip: missing.length > 0 && `there is no ${missing.join(" and no ")}`,
  }, async (t) => {
    const data = join(await temporaryDirectory(t), "data");
    const input = `code,value,businessTime\nUSD_RLS,1905000,${new Date(Date.now() - 60_000).toISOString()}\n`;
    assert.equal((await mazaneh(["import", "-", "--init", "--data", data], { input })).code, 0);
    const key = String(
      (await mazaneh(["keys", "create", "me", "--units", "10000", "--json", "--data", data])).json()["key"],
    );
    const server = await servingChild(t, ["--data", data], { MAZANEH_BEHIND_PROXY: "127.0.0.1" });

    async function wrongs(t: TestContext, changes: Changes): Promise<readonly string[]> {
      const { port, ca } = await start(t, Number(new URL(server.url).port), [...local, ...changes]);
      const certificate = join(await temporaryDirectory(t), "ca.pem");
      writeFileSync(certificate, ca);
      const run = await spawned(["doctor", `https://localhost:${port}`, "--json"], {
        env: { MAZANEH_KEY: key, NODE_EXTRA_CA_CERTS: certificate },
      });
      assert.ok(run.code === 0 || run.code === 65, run.err);
      return (run.json()["findings"] as unknown as { name: string; is: string; found: string }[])
        .filter(({ is }) => is === "wrong")
        .map(({ name }) => name);
    }

    await t.test("as it is", async (t) => assert.deepEqual(await wrongs(t, []), []));
    for (const [wrong, mistake] of mistakes) {
      await t.test(`${wrong}: ${String(mistake[0]?.[1]).slice(0, 90)}`, async (t) =>
        assert.ok((await wrongs(t, mistake)).includes(wrong), "it is found"),
      );
    }
  });
}
