import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { suite, type TestContext, test } from "node:test";
import fc from "fast-check";
import { createTrustedProxies, type Origin } from "../../../adapters/http/node/forwarded_headers.ts";
import { createNodeServer, type NodeExchange, type NodeServerOptions } from "../../../adapters/http/node/mod.ts";
import { createRequestRate } from "../../../core/mod.ts";
import { createWorld } from "../../support/api_under_test.ts";
import { until } from "../../support/node_stub.ts";
import { sendRaw } from "../../support/raw_http.ts";
import { runs } from "../../support/suite_size.ts";

const PROXIES = ["192.0.2.1", "10.0.0.0/8", "fd00::/8", "2001:db8::1"];

function originOf(rawHeaders: readonly string[], peer = "192.0.2.1", proxies: readonly string[] = PROXIES): Origin {
  return createTrustedProxies(proxies).originOf({ rawHeaders, socket: { remoteAddress: peer } } as IncomingMessage);
}

function known(rawHeaders: readonly string[], peer?: string): readonly (string | undefined)[] {
  const { address, scheme, host } = originOf(rawHeaders, peer);
  return [address, scheme, host];
}

const XFF = "X-Forwarded-For";
const CLIENT = "203.0.113.9";
const PEER = "192.0.2.1";

suite("trusted proxies: the client's address", () => {
  const cases: readonly (readonly [rule: string, rawHeaders: readonly string[], address: string])[] = [
    ["one proxy", [XFF, CLIENT], CLIENT],
    ["several proxies in a row", [XFF, `${CLIENT}, 10.1.2.3, fd00::7`], CLIENT],
    ["entries before the client's address are not trusted", [XFF, `10.9.9.9, 127.0.0.1, ${CLIENT}, 10.1.2.3`], CLIENT],
    ["if all addresses are trusted proxies, the first is used", [XFF, "10.0.0.1, 10.0.0.2"], "10.0.0.1"],
    ["several lines form one list", [XFF, `198.51.100.1`, "Accept", "*/*", XFF, CLIENT], CLIENT],
    ["a port", [XFF, `${CLIENT}:4711`], CLIENT],
    ["IPv6", [XFF, "2001:db8::9"], "2001:db8::9"],
    ["IPv6 in canonical form", [XFF, "2001:0DB8:0:0:0:0:0:9"], "2001:db8::9"],
    ["IPv6 in brackets", [XFF, "[2001:db8::9]"], "2001:db8::9"],
    ["IPv6 with a port", [XFF, "[2001:db8::9]:443"], "2001:db8::9"],
    ["an IPv4-mapped IPv6 address", [XFF, "::ffff:203.0.113.9"], CLIENT],
    ["unknown", [XFF, "unknown"], PEER],
    ["a Forwarded field, which is not read", ["Forwarded", "for=1.1.1.1", XFF, CLIENT], CLIENT],
    ["no field", ["Accept", "*/*"], PEER],
  ];
  for (const [rule, rawHeaders, address] of cases)
    test(`${rule}: ${rawHeaders.join(" ")}`, () => assert.equal(originOf(rawHeaders).address, address));

  test("a bad address is ignored", () => {
    const bad = ["", ",", "x", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "0x7f000001", "1.2.3.4:99999x!", "[1.2.3.4]"];
    for (const value of [...bad, "[::1", "fe80::1%eth0", "1.2.3.4/8", "a\u0000b", "🤖"])
      assert.equal(originOf([XFF, value]).address, PEER, value);
  });

  test("fields from unlisted addresses are not trusted", () => {
    const claims = [XFF, "1.1.1.1", "X-Forwarded-Proto", "https", "X-Forwarded-Host", "a.example"];
    for (const peer of [CLIENT, "127.0.0.1", "11.0.0.1", "2001:db8::2", "::1"])
      assert.deepEqual(known(claims, peer), [peer, undefined, undefined]);
  });

  test("a proxy is recognized even if a dual-stack socket reports its address as IPv6", () => {
    assert.equal(originOf([XFF, CLIENT], "::ffff:10.1.1.1").address, CLIENT);
    assert.equal(originOf([XFF, CLIENT], "fd12::1%eth0").address, CLIENT);
  });

  test("only the right end of a very long list is read", () => {
    const many = (item: string, count: number): string => Array.from({ length: count }, () => item).join(",");
    assert.equal(originOf([XFF, `${many("1.1.1.1", 1_000)},${CLIENT}`]).address, CLIENT);
    assert.equal(originOf([XFF, `${CLIENT},${many("10.0.0.1", 15)}`]).address, CLIENT);
    assert.equal(originOf([XFF, `${CLIENT},${many("10.0.0.1", 16)}`]).address, "10.0.0.1");
  });

  test("any field values result in a valid address, and cause no error", () => {
    const marks = fc.stringMatching(/^[\w.:;,="\\[\] -]{0,60}$/);
    const text = fc.oneof(fc.string(), marks, fc.constantFrom("10.0.0.1", "unknown"));
    const name = fc.constantFrom(XFF, "X-Forwarded-Proto", "X-Forwarded-Host");
    fc.assert(
      fc.property(fc.array(fc.tuple(name, text), { maxLength: 6 }), (lines) => {
        const [address, scheme, host = "a"] = known(lines.flat());
        assert.match(address ?? "", /^[0-9a-f.:]+$/);
        assert.equal(scheme === undefined || scheme === "http" || scheme === "https", true);
        assert.match(host, /^[\w.:[\]-]{1,255}$/);
      }),
      { numRuns: runs(300) },
    );
  });

  test("a client's own entries do not change its address when the proxy appends to them", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (written) => {
        assert.equal(originOf([XFF, `${written}, ${CLIENT}`]).address, CLIENT);
      }),
      { numRuns: runs(200) },
    );
  });
});

suite("trusted proxies: scheme and host", () => {
  const [PROTO, HOST] = ["X-Forwarded-Proto", "X-Forwarded-Host"];
  type Known = readonly (string | undefined)[];
  const cases: readonly (readonly [rule: string, rawHeaders: readonly string[], wanted: Known])[] = [
    ["one proxy", [XFF, CLIENT, PROTO, "https", HOST, "a.example:8443"], [CLIENT, "https", "a.example:8443"]],
    ["without an address", [PROTO, "HTTPS"], [PEER, "https", undefined]],
    ["lists", [XFF, `1.1.1.1, ${CLIENT}, 10.0.0.1`, PROTO, "ftp, http, https"], [CLIENT, "https", undefined]],
    ["two proxies, but only one scheme", [XFF, `${CLIENT}, 10.0.0.1`, PROTO, "https"], [CLIENT, "https", undefined]],
    ["of two schemes, the nearest proxy's is used", [XFF, CLIENT, PROTO, "http, https"], [CLIENT, "https", undefined]],
    ["another scheme", [XFF, CLIENT, PROTO, "javascript"], [CLIENT, undefined, undefined]],
    ["a host with odd characters", [XFF, CLIENT, HOST, 'a"><script>.example'], [CLIENT, undefined, undefined]],
    ["an endless host", [XFF, CLIENT, HOST, "a".repeat(256)], [CLIENT, undefined, undefined]],
  ];
  for (const [rule, rawHeaders, wanted] of cases) test(rule, () => assert.deepEqual(known(rawHeaders), wanted));
});

suite("trusted proxies: the list", () => {
  test("a text that is neither an address nor a network is refused", () => {
    const networks = ["10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0.0/1e1"];
    for (const text of ["", "localhost", "10.0.0", "*", "fe80::1%eth0", ...networks])
      assert.throws(() => createTrustedProxies([text]), RangeError, text);
  });

  test("networks of any size", () => {
    assert.equal(originOf([XFF, CLIENT], "8.8.8.8", ["0.0.0.0/0"]).address, CLIENT);
    assert.equal(originOf([XFF, CLIENT], "2a00::1", ["::/0"]).address, CLIENT);
    assert.equal(originOf([XFF, CLIENT], "10.0.0.1", ["10.0.0.1/32"]).address, CLIENT);
  });
});

// test/deploy/proxies.nightly.ts tests the real proxies, if they are installed.
test("nginx and Caddy, as configured in fixtures/deploy, pass on nothing that a client wrote into X-Forwarded-* fields", () => {
  const [nginx, caddy] = (["nginx/mazaneh.conf", "caddy/Caddyfile"] as const).map((name) =>
    readFileSync(`fixtures/deploy/${name}`, "utf8"),
  ) as [string, string];
  const set = [...nginx.matchAll(/proxy_set_header +X-Forwarded-(.*);/g)].map(([, field]) => field);
  assert.deepEqual(set, ["For $remote_addr", "Proto $scheme", "Host $host"]);
  // By default, Caddy overwrites the fields.
  assert.doesNotMatch(caddy, /trusted_proxies|header_up/);
});

suite("node server: behind trusted proxies", () => {
  async function start(t: TestContext, options: NodeServerOptions) {
    const { api } = await createWorld();
    const events: NodeExchange[] = [];
    const server = createNodeServer(api, { onExchange: (event) => events.push(event), ...options });
    const { port } = await server.listen({ host: "127.0.0.1", port: 0 });
    t.after(() => server.close());
    return { origin: `http://127.0.0.1:${port}`, events };
  }
  const documentation = (body: Buffer): string =>
    String((JSON.parse(body.toString()) as { documentationUrl: string }).documentationUrl);
  const status = { target: "/api/v1/status" };
  const sent = ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-Proto: https", "X-Forwarded-Host: prices.example"];

  test("the documentation URL and the access log have the client's scheme, host and address, if the proxy is listed", async (t) => {
    const ofProxy = ["http://test.example/docs", "127.0.0.1"];
    for (const [behindProxy, ...wanted] of [
      [["127.0.0.0/8"], "https://prices.example/docs", "203.0.113.9"],
      [false, ...ofProxy],
      [true, ...ofProxy],
      [["10.0.0.0/8"], ...ofProxy],
    ] as const) {
      const { origin, events } = await start(t, { behindProxy });
      const { body } = await sendRaw(origin, { ...status, headers: sent });
      await until(() => events.length === 1);
      assert.deepEqual([documentation(body), events[0]?.address], wanted, JSON.stringify(behindProxy));
    }
  });

  test("a forwarded host with odd characters or a key in it does not appear in the answer", async (t) => {
    const { origin } = await start(t, { behindProxy: ["127.0.0.1"] });
    const { key } = await createWorld();
    for (const host of ["a.example/%22evil", "a\\evil", "é.example", "a b", `${key}.example`, "<script>", "a, b/"]) {
      const { body } = await sendRaw(origin, { ...status, headers: [`X-Forwarded-Host: ${host}`] });
      assert.match(documentation(body), /^http:\/\/(?:test\.example|localhost)\/docs$/, host);
    }
  });

  test("each forwarded address has its own rate; above the rate, only /status is answered, and all other requests get 429 in the contract's shape", async (t) => {
    const { origin, events } = await start(t, { behindProxy: ["127.0.0.1"], addressRate: createRequestRate("2/h") });
    const ask = (address: string, target = "/api/v1/access") =>
      sendRaw(origin, { target, headers: [`X-Forwarded-For: ${address}`] });
    for (const wanted of [401, 401, 429, 429]) assert.equal((await ask("203.0.113.9")).status, wanted);
    assert.equal((await ask("1.2.3.4, 203.0.113.9")).status, 429, "a spoofed left part");
    assert.equal((await ask("203.0.113.10")).status, 401);
    for (const wanted of [401, 401, 429])
      assert.equal((await ask(`2001:db8:0:7::${wanted}`)).status, wanted, "one /64 network");
    const refused = await ask("203.0.113.9");
    const { code, status: inBody, requestId } = JSON.parse(refused.body.toString()) as Record<string, unknown>;
    assert.deepEqual([code, inBody, requestId], ["RATE_LIMITED", 429, refused.headers.get("x-request-id")]);
    assert.ok(Number(refused.headers.get("retry-after")) > 1_000, String(refused.headers.get("retry-after")));
    assert.equal((await ask("203.0.113.9", "/api/v1/status")).status, 200);
    await until(() => events.length === 11);
    assert.equal(events.filter(({ report }) => report?.code === "RATE_LIMITED").length, 5);
  });

  test("without a proxy the rate applies to the connection's address; a request that is refused anyway does not count", async (t) => {
    const { origin } = await start(t, { addressRate: createRequestRate("1/h") });
    assert.equal((await sendRaw(origin, { headers: ["Expect: miracles"] })).status, 400);
    assert.equal((await sendRaw(origin, { headers: sent })).status, 404);
    assert.equal((await sendRaw(origin, { headers: ["X-Forwarded-For: 203.0.113.10"] })).status, 429);
  });

  test("an address rate is refused if behindProxy lists no proxies, because client addresses are then unknown", async () => {
    const { api } = await createWorld();
    assert.throws(
      () => createNodeServer(api, { behindProxy: true, addressRate: createRequestRate("1/s") }),
      /which behindProxy must list/,
    );
    assert.throws(() => createNodeServer(api, { behindProxy: ["localhost"] }), RangeError);
  });
});
