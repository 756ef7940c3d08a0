import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { catalogIn } from "../../adapters/cli/catalog_setting.ts";
import { ASSETS } from "../../core/mod.ts";
import { mazaneh, serving, temporaryDirectory } from "../support/cli.ts";

const KRONE = { code: "ZZZ_USD", category: "FX", nameEn: "Nobody's Krone", nameFa: "کرون هیچ‌کس" };
const PRICES = `code,value,businessTime
ZZZ_USD,0.1077,2026-08-21T16:30:00Z
PEPE_USD,0.00000098,2026-08-21T16:30:00Z
USD_RLS,1905000,2026-08-21T16:30:00Z
`;

async function configured(t: TestContext, config: unknown): Promise<string> {
  const path = join(await temporaryDirectory(t), "config.json");
  await writeFile(path, typeof config === "string" ? config : JSON.stringify(config));
  return path;
}

test("assets: an added asset comes last, or replaces the names of the contract's asset with the same code; dropped assets are gone", async (t) => {
  const catalogOf = async (assets: unknown) => catalogIn(await configured(t, { assets }));
  const catalog = await catalogOf({
    add: [KRONE, { ...KRONE, code: "USD_RLS", nameEn: "Free Dollar" }],
    drop: ["PEPE_USD"],
  });
  assert.equal(catalog.length, ASSETS.length);
  assert.deepEqual(catalog.at(-1), {
    ...{ code: "ZZZ_USD", baseCode: "ZZZ", category: "FX", quoteUnit: "USD" },
    ...{ labelEn: "Nobody's Krone / US Dollar", labelFa: "کرون هیچ‌کس / دلار آمریکا" },
  });
  assert.deepEqual([catalog[0]!.code, catalog[0]!.labelEn], ["USD_RLS", "Free Dollar / Iranian Rial"]);
  assert.ok(
    catalog.every(({ code }) => (code as string) !== "PEPE_USD"),
    "PEPE_USD is dropped",
  );
  for (const assets of [{}, undefined]) assert.deepEqual(await catalogOf(assets), ASSETS);
  const others = [
    { ...KRONE, code: "STOCK_IR" },
    { ...KRONE, code: "OIL" },
  ];
  assert.equal(
    (await catalogOf({ add: others })).length,
    ASSETS.length + 1,
    "codes of the contract, and codes without an underscore, are accepted",
  );
});

test("adapters/cli/README.md: the example of a catalog is valid", async (t) => {
  const [, example] = /^(\{ "assets": .* \})$/m.exec(readFileSync("adapters/cli/README.md", "utf8")) ?? [];
  assert.notEqual(await catalogIn(await configured(t, example)), ASSETS);
});

const mistakes: readonly (readonly [assets: unknown, message: string])[] = [
  [[], "assets must be an object, as in {"],
  [{ remove: [] }, 'assets has an unknown member "remove"'],
  [{ add: KRONE }, "assets.add and assets.drop must be lists"],
  [{ add: [{ ...KRONE, unit: "USD" }] }, 'assets.add[0] has an unknown member "unit"'],
  [{ add: [KRONE, { ...KRONE, nameFa: undefined }] }, "assets.add[1] needs nameFa, a text of 1 to 100 characters"],
  [{ add: [{ ...KRONE, nameEn: "a\u001b[31m" }] }, "assets.add[0] needs nameEn, a text"],
  [{ add: [{ ...KRONE, category: "fx" }] }, "assets.add[0] has a category that is not one of FX, "],
  [{ add: [{ ...KRONE, code: "USD_XYZ" }] }, 'assets.add[0] adds "USD_XYZ", but a code with "_" must end in'],
  [{ add: [KRONE, KRONE] }, 'assets.add[1]: assets.add and assets.drop may list "ZZZ_USD" only once'],
  [{ add: [{ ...KRONE, code: "USD_RLS" }], drop: ["USD_RLS"] }, "assets.add[0]: assets.add and assets.drop may list"],
  [{ drop: ["USD_RLX"] }, "assets.drop may only list codes of the contract"],
  [{ drop: ASSETS.map(({ code }) => code) }, "assets drops every asset"],
];
test("config file: a mistake is refused with exit code 78 and a message that names file, entry and reason", async (t) => {
  for (const [assets, message] of mistakes) {
    const config = await configured(t, { assets });
    const start = `Cannot use the config file "${config}": ${message}`;
    await assert.rejects(
      catalogIn(config),
      ({ message: text, exitCode }: Error & { exitCode?: number }) => exitCode === 78 && text.startsWith(start),
      message,
    );
  }
});

test("config file: every command refuses members other than `assets`, and invalid JSON, with exit code 78 and one line", async (t) => {
  for (const content of [{ port: 80 }, [], "port = 80"]) {
    const config = await configured(t, content);
    for (const command of ["serve", "import -", "export", "info", "get USD_RLS", "keys list"]) {
      const { code, out, err } = await mazaneh(command.split(" "), { env: { MAZANEH_CONFIG: config } });
      assert.deepEqual([code, out], [78, ""], command);
      assert.match(err, /^mazaneh: Cannot use the config file [^\n]+\n$/);
    }
  }
});

test("assets in the config file: a server uses this catalog, and a dropped asset's records stay on the disk", async (t) => {
  const config = await configured(t, { assets: { add: [KRONE] } });
  const data = join(await temporaryDirectory(t), "data");
  const env = { MAZANEH_CONFIG: config, MAZANEH_DATA: data };
  assert.equal((await mazaneh(["import", "--init", "-"], { input: PRICES, env })).code, 0);
  await writeFile(config, JSON.stringify({ assets: { add: [KRONE], drop: ["PEPE_USD"] } }));
  const server = await serving(t, ["--config", config, "--data", data]);
  const key = String((await mazaneh(["keys", "create", "me", "--json"], { env })).json()["key"]);
  const codesOf = ({ json }: { readonly json: unknown }) => (json as { code: string }[]).map(({ code }) => code);
  assert.deepEqual(codesOf(await server.get("/api/v1/assets", key)), ["USD_RLS", "ZZZ_USD"]);
  assert.equal((await server.get("/api/v1/assets/PEPE_USD", key)).status, 404);
  const { json } = await server.get("/api/v1/assets/supported?category=FX", key);
  assert.equal(codesOf({ json: json["assets"] }).at(-1), "ZZZ_USD");
  assert.deepEqual((server.state["settings"]!["assets"] as unknown as string[]).slice(-2), ["ATOM_RLS", "ZZZ_USD"]);
  assert.equal(await server.stop(), 0);
  await writeFile(config, "{}");
  assert.match((await mazaneh(["export"], { env })).out, /^PEPE_USD,0\.00000098,/m);
});
