import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { readCatalog } from "../../../adapters/cli/catalog_setting.ts";
import { ASSETS } from "../../../core/mod.ts";
import { mazaneh, serving, temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";

const KRONE = { code: "NOK_USD", category: "FX", nameEn: "Norwegian Krone", nameFa: "کرون نروژ" };
const PRICES = `code,value,businessTime
NOK_USD,0.1077,2026-08-21T16:30:00Z
PEPE_USD,0.00000098,2026-08-21T16:30:00Z
USD_RLS,1905000,2026-08-21T16:30:00Z
`;

async function configured(t: TestContext, assets: unknown): Promise<{ data: string; config: string }> {
  const directory = await temporaryDirectory(t);
  const config = join(directory, "config.json");
  const data = join(directory, "data");
  await writeFile(config, JSON.stringify({ data, assets }));
  return { data, config };
}

test("assets: added ones come last, one of the contract's codes is renamed in its place, dropped ones are gone", () => {
  const catalog = readCatalog("c.json", { add: [KRONE, { ...KRONE, code: "USD_RLS", nameEn: "Free Dollar" }], drop: ["PEPE_USD"] });
  assert.equal(catalog.length, ASSETS.length);
  assert.deepEqual(catalog.at(-1), {
    ...{ code: "NOK_USD", baseCode: "NOK", category: "FX", quoteUnit: "USD" },
    ...{ labelEn: "Norwegian Krone / US Dollar", labelFa: "کرون نروژ / دلار آمریکا" },
  });
  assert.deepEqual([catalog[0]!.code, catalog[0]!.labelEn], ["USD_RLS", "Free Dollar / Iranian Rial"]);
  assert.ok(catalog.every(({ code }) => (code as string) !== "PEPE_USD"));
  assert.deepEqual(readCatalog("c.json", {}), ASSETS);
  const others = [{ ...KRONE, code: "STOCK_IR" }, { ...KRONE, code: "OIL" }];
  assert.equal(readCatalog("c.json", { add: others }).length, ASSETS.length + 1, "codes of the contract, and those without an underscore, are taken as they are");
});

test("adapters/cli/README.md: the example of a catalog is read", () => {
  const [, example] = /^(\{ "assets": .* \})$/m.exec(readFileSync("adapters/cli/README.md", "utf8")) ?? [];
  const { assets } = JSON.parse(example!) as { assets: unknown };
  assert.deepEqual(readCatalog("README.md", assets).map(({ code }) => code).at(-1), "NOK_USD");
});

const mistakes: readonly (readonly [rule: string, assets: unknown, message: string])[] = [
  ["a list", [], "assets must be such as {"],
  ["null", null, "assets must be such as {"],
  ["an unknown member", { remove: [] }, "assets.remove is not known: known are add, drop"],
  ["an add that is no list", { add: KRONE }, "assets.add must be a list: received {"],
  ["an asset that is no object", { add: ["NOK_USD"] }, 'assets.add[0] must be an object with code, category, nameEn, nameFa: received "NOK_USD"'],
  ["an asset with an unknown member", { add: [{ ...KRONE, unit: "USD" }] }, 'assets.add[0] has "unit", which is not known'],
  ["an asset without a Persian name", { add: [KRONE, { ...KRONE, nameFa: undefined }] }, "assets.add[1] needs nameFa, a text of 1 to 100 characters"],
  ["a name that is blank", { add: [{ ...KRONE, nameEn: " " }] }, "assets.add[0] needs nameEn, a text"],
  ["a name with a control character", { add: [{ ...KRONE, nameEn: "a\u001b[31m" }] }, "assets.add[0] needs nameEn, a text"],
  ["a name that is too long", { add: [{ ...KRONE, nameEn: "n".repeat(101) }] }, "assets.add[0] needs nameEn, a text"],
  ["a name with the separator of labels", { add: [{ ...KRONE, nameEn: "Krone / Norway" }] }, "assets.add[0] needs nameEn, a text"],
  ["a category that is none", { add: [{ ...KRONE, category: "fx" }] }, 'assets.add[0] has a category that is not one of FX, CRYPTO, COIN, GOLD, METAL, INDEX: received "fx"'],
  ["a code in lower case", { add: [{ ...KRONE, code: "nok_usd" }] }, 'assets.add[0] is refused: Cannot define asset as a code must match'],
  ["a code in toman", { add: [{ ...KRONE, code: "USD_TMN" }] }, 'assets.add[0] adds "USD_TMN", but a code with "_" must end in _RLS or _USD: values are stored in rial or US dollars; for prices in toman, end it in _RLS and import with --unit toman'],
  ["a code in another currency", { add: [KRONE, { ...KRONE, code: "NOK_EUR" }] }, 'assets.add[1] adds "NOK_EUR", but a code with "_" must end in _RLS or _USD'],
  ["a code twice", { add: [KRONE, KRONE] }, 'assets.add[1] adds "NOK_USD" a second time'],
  ["a code that is dropped, too", { add: [{ ...KRONE, code: "USD_RLS" }], drop: ["USD_RLS"] }, 'assets.add[0] adds "USD_RLS", which assets.drop drops'],
  ["a dropped code that is none", { drop: ["USD_RLX"] }, 'assets.drop[0] must be a code of the contract: received "USD_RLX"'],
  ["a dropped code that is no text", { drop: [{ code: "USD_RLS" }] }, "assets.drop[0] must be a code of the contract"],
  ["all assets dropped", { drop: ASSETS.map(({ code }) => code) }, "assets drops every asset"],
  ["a member of the prototype", JSON.parse('{"__proto__": []}'), "assets.__proto__ is not known"],
];
for (const [rule, assets, message] of mistakes) {
  test(`assets in the config file: ${rule} is refused with file, entry and reason: 78`, async (t) => {
    const { config } = await configured(t, assets);
    for (const command of [["serve"], ["import", "-"], ["export"], ["info"], ["get", "USD_RLS"], ["keys", "list"]]) {
      const { code, out, err } = await program([...command, "--config", config]);
      assert.deepEqual([code, out], [78, ""], command.join(" "));
      assert.ok(err.startsWith(`mazaneh: ${config}: ${message}`), err);
      assert.match(err, /^[^\n]+\n$/);
    }
  });
}

test("import: an unknown code that may mean an asset is told so, with its unit", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const { err } = await program(["import", "--init", "--data", data, "-"], { input: ["code,value,businessTime\nUSD_TMN,190500,2026-08-21T16:30:00Z\n"] });
  assert.match(err, /^Not in the catalog: USD_TMN \(did you mean USD_RLS \(rial; 10 rial are 1 toman\)[^\n]*\?\)\. "assets" in/m);
});

test("import: many codes that are not in the catalog are named in one line; one in lower case with the asset that may be meant", async (t) => {
  const data = join(await temporaryDirectory(t), "data");
  const lines = Array.from({ length: 2_000 }, (_, at) => `X${at}_USD,1,2026-08-21T16:30:00Z`);
  const input = ["code,value,businessTime", "usd_rls,1,2026-08-21T16:30:00Z", `${"X".repeat(40)},1,2026-08-21T16:30:00Z`, ...lines].join("\n");
  const { err } = await program(["import", "--init", "--data", data, "-"], { input: [input] });
  const advice = err.split("\n").filter((line) => line.startsWith("Not in the catalog"));
  assert.deepEqual(advice, ['Not in the catalog: usd_rls (did you mean USD_RLS (rial; 10 rial are 1 toman)?), X0_USD, X1_USD, X2_USD, X3_USD and 995 more. "assets" in the config file (--config) adds codes to it']);
});

test("assets in the config file: import, export, info, get and serve have the same catalog; a dropped asset's records stay on the disk", async (t) => {
  const { data, config } = await configured(t, { add: [KRONE] });
  const env = { MAZANEH_CONFIG: config };
  const plain = await mazaneh(["import", "--init", "--data", data, "-"], { input: PRICES });
  assert.equal(plain.code, 65, "without the config file, the code is unknown");
  assert.match(plain.err, /:2: code "NOK_USD" is not in the catalog/);
  assert.match(plain.err, /^Not in the catalog: NOK_USD[^\n]*\. "assets" in the config file \(--config\) adds codes to it$/m);
  assert.equal((await mazaneh(["import", "-"], { input: PRICES, env })).code, 0);
  assert.match((await program(["get", "NOK_USD"], { env })).out, /^NOK_USD {2}Norwegian Krone \/ US Dollar {2}کرون نروژ \/ دلار آمریکا\n0\.1077 US dollar\n/);
  assert.match((await program(["export"], { env })).out, /^NOK_USD,0\.1077,/m);

  await writeFile(config, JSON.stringify({ data, assets: { add: [KRONE], drop: ["PEPE_USD"] } }));
  const exported = (await program(["export"], { env })).out;
  assert.doesNotMatch(exported, /PEPE/);
  assert.equal((await program(["get", "PEPE_USD"], { env })).code, 64);
  const info = (await program(["info"], { env })).out;
  assert.match(info, /^NOK_USD +1 /m);
  assert.match(info, /^\(PEPE_USD\) +1 /m);
  assert.match(info, /^Codes in parentheses are not in the catalog: 1\. They are kept and not served\.$/m);

  const server = await serving(t, ["--config", config]);
  const key = String((await mazaneh(["keys", "create", "me", "--json"], { env })).json()["key"]);
  const { json } = await server.get("/api/v1/assets", key);
  assert.deepEqual((json as unknown as { code: string }[]).map(({ code }) => code), ["USD_RLS", "NOK_USD"]);
  assert.equal((await server.get("/api/v1/assets/PEPE_USD", key)).status, 404);
  const supported = await server.get("/api/v1/assets/supported?category=FX", key);
  assert.equal((supported.json["assets"] as unknown as { code: string }[]).at(-1)?.code, "NOK_USD");
  assert.deepEqual((server.state["settings"]?.["assets"] as unknown as string[]).slice(-2), ["ATOM_RLS", "NOK_USD"]);
  assert.equal(await server.stop(), 0);

  await writeFile(config, JSON.stringify({ data }));
  assert.match((await program(["export"], { env })).out, /^PEPE_USD,0\.00000098,/m);
});
