import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { nodeSystem } from "../../../adapters/http/node/mod.ts";
import { createOverview } from "../../../adapters/server/monitoring/admin_overview.ts";
import { type AdminPage, adminPage } from "../../../adapters/server/monitoring/admin_page.ts";
import { createExchangeMetrics } from "../../../adapters/server/monitoring/exchange_metrics.ts";
import type { ServerStatus } from "../../../adapters/server/monitoring/monitoring.ts";
import type { Store } from "../../../adapters/stores/shared/store.ts";
import {
  type AccountId,
  ASSETS,
  type AssetCode,
  createIngestUnknown,
  type KeyId,
  type UtcMillis,
} from "../../../core/mod.ts";
import { makeStore, serving, temporaryDirectory } from "../../support/cli.ts";
import { program } from "../../support/cli_program.ts";
import { watched } from "../../support/watched_server.ts";
import { exchange } from "./made_exchange.ts";

const STATUS: ServerStatus = {
  ...{ ready: true, reasons: [], pending: 0, damages: 0, lastBackup: null },
  ...{ version: "1.0.0", pid: 1, startedAt: "2026-01-01T00:00:00.000Z", url: null, adminUrl: null },
  ...{ records: 1_234, newestRecord: null, newestRecordAgeSeconds: null, mirror: null },
  ...{ requests: 0, connections: 0, inFlight: 0, eventLoopDelayMs: 0, linesLost: 0 },
  ...{ diskFreeBytes: 5e9, memoryBytes: 1e8 },
};
const NOW = Date.parse("2026-01-04T04:05:30Z") as UtcMillis;
const EMPTY: AdminPage = {
  ...{ status: STATUS, now: NOW, marketTimeZone: "Asia/Tehran", diskDays: undefined, pending: undefined },
  ...{ keys: [], errors: [], newestOf: new Map(), imports: [], changes: [] },
};

/** The visible text of the page. */
function read(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/s, "")
    .replace(/<\/?bdi>/g, "")
    .replace(/<\/t[dh]>/g, " | ")
    .replace(/<[^>]+>/g, "\n")
    .replace(/\n{2,}/g, "\n");
}

test("admin page: shows readiness, units by account and key, refusals, changes, imports, ages and the last backup, without a script", async (t) => {
  const directory = await temporaryDirectory(t);
  const data = await makeStore(join(directory, "data"));
  const server = await serving(t, ["--data", data, "--admin-port", "0"]);
  await program(["plans", "set", "TWO", "--daily-units", "2", "--attribution", "no", "--data", data]);
  const created = await program(["keys", "create", "alice", "--plan", "TWO", "--json", "--data", data]);
  const { key, id } = JSON.parse(created.out) as { key: string; id: string };
  const file = join(directory, "<i>prices.csv");
  await writeFile(file, `code,value,businessTime\nUSD_RLS,1905000,${new Date(Date.now() - 7_200_000).toISOString()}\n`);
  await program(["import", file, "--data", data]);
  for (const status of [200, 200, 429, 429])
    assert.equal((await server.get("/api/v1/assets/USD_RLS", key)).status, status);
  await program(["backup", join(directory, "backup"), "--data", data]);
  const { code, out } = await program(["admin", "--data", data]);
  const [url = ""] = out.split("\n");
  assert.deepEqual([code, url], [0, `${String(server.state["adminUrl"])}/`]);
  const answer = await fetch(url);
  const html = await answer.text();
  const paused = await fetch(`${url}?paused`);
  assert.deepEqual([answer.headers.get("refresh"), paused.headers.get("refresh")], ["30", null]);
  const policy = /^default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'/;
  assert.match(answer.headers.get("content-security-policy") ?? "", policy);
  assert.doesNotMatch(html, /<script|<i>|javascript:|mz_live_/);
  const text = read(html);
  const wanted = [
    /^Ready$/m,
    new RegExp(`alice \\| \n?2 \\| \n?${id} \\| \n?2 \\| \n?2 \\| \n?2 \\| `),
    /QUOTA_EXCEEDED \| \n?2 \| /,
    new RegExp(`made key ${id} of account`),
    /import of \S*&#60;i&#62;prices\.csv \| \n?1 \| \n?done/,
    /USD_RLS \| \n?2 h ago, /,
    /last good backup \| \n?(?:now|1 min ago), /,
    /damages \| \n?0 \| /,
  ];
  for (const pattern of wanted) assert.match(text, pattern);
  await server.stop();
  assert.equal((await program(["admin", "--data", data])).code, 75);
});

test("admin page: lists tasks first, the most urgent at the top; facts that the store cannot give are shown as unknown", () => {
  const reasons = [{ code: "disk-full", message: "The disk <full>", since: "2026-01-04T01:01:00.000Z" }] as const;
  const status = { ...STATUS, ready: false, reasons, pending: 3, damages: 2, records: null, diskFreeBytes: 2e9 };
  const old = { ...status, lastBackup: "2026-01-01T22:00:00.000Z" };
  const html = adminPage({ ...EMPTY, status: old, diskDays: 3.7, imports: undefined });
  const text = read(html).replace(/\s+/g, " ");
  assert.match(html, /<title>Not ready \(5\): Mazaneh<\/title>/);
  const wanted = [
    /Not ready .*07:35 Tehran · up 3 days 4 h · version 1\.0\.0/,
    /Needs you .*The disk &#60;full&#62; disk-full, since 3 h 4 min ago, 04:31 \. See mazaneh doctor/,
    /doctor .*could not be read: 2 .*verify .*full in 3 days .*Pending values: 3 .*pending list .*backup is old 2 days 6 h ago, 2 Jan 2026, 01:30 /,
    /2,000 MB left, full in 3 days .*records \| unknown/,
    /Not available now/,
  ];
  for (const pattern of wanted) assert.match(text, pattern);
  const calm = adminPage({ ...EMPTY, status: { ...STATUS, lastBackup: "2026-01-02T22:00:00.000Z" } });
  assert.match(read(calm), /^Needs you\nNothing\.$/m);
  assert.match(calm, /<title>Ready: Mazaneh<\/title>/);
});

test("admin page: has a landmark, headings, row and column headers, exact times, and a refresh that a link pauses", () => {
  const time = "2026-01-03T00:18:50.000Z";
  const newestOf = new Map([["A" as AssetCode, Date.parse(time) as UtcMillis]]);
  const html = adminPage({ ...EMPTY, newestOf, errors: [["QUOTA_EXCEEDED", 2]] });
  assert.match(html, /<html lang="en">.*<main><h1>Ready<\/h1>.*<h2>Needs you<\/h2>.*<\/main>/s);
  assert.match(html, /<tr><th scope="col">code<\/th>.*<tr><th scope="row"><bdi>A<\/bdi><\/th>/s);
  assert.ok(html.includes(`<time datetime="${time}" title="${time}">1 day 3 h ago, 3 Jan 2026, 03:48</time>`), html);
  assert.match(html, /looks again every 30 s · <a href="\?paused">pause<\/a>/);
  assert.match(adminPage(EMPTY, true), /paused · <a href="\?">look again every 30 s<\/a>/);
});

test("admin page: lists the ten assets with the most pending values, each with its newest value and the escaped reason", async (t) => {
  const data = await makeStore(join(await temporaryDirectory(t), "data"));
  const { adminUrl, store } = await watched(t, { data });
  const pending = (code: AssetCode, value: number, day: number) => {
    const reason = `<b>${value} is beyond the daily bound: about 1,900,000 expected`.padEnd(500);
    return { code, value, businessTime: `2026-01-0${day}T00:00:00Z`, qualityStatus: "PENDING", qualityMessage: reason };
  };
  await createIngestUnknown({ ...nodeSystem, ...store })([
    ...ASSETS.map(({ code }) => pending(code, 10, 1)),
    pending("USD_RLS" as AssetCode, 190_000, 3),
    pending("USD_RLS" as AssetCode, 20, 2),
  ]);
  const html = await (await fetch(adminUrl)).text();
  assert.doesNotMatch(html, /<b>/);
  const text = read(html).replace(/\n/g, "");
  assert.match(text, new RegExp(`Pending values: ${ASSETS.length + 2}Decide about them with mazaneh pending list`));
  const first =
    /to decide \| USD_RLS \| 3 \| [^|]*, 1 Jan 2026, 03:30 \| [^|]*, 3 Jan 2026, 03:30 \| 190000 \| &#60;b&#62;/;
  assert.match(text, first);
  assert.equal(text.match(/\| mazaneh pending list \w+ \| /g)?.length, 10);
});

test("overview: after the disk has been filling for an hour, estimates when it will be full; lists the keys with the most units; leaves out figures of a failing engine", async (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const { add, tallies } = createExchangeMetrics();
  const of = (account: number) =>
    exchange({ report: { accountId: `a${account}` as AccountId, keyId: `k${account}` as KeyId } });
  for (let account = 0; account < 60; account++) for (let i = 0; i <= account; i++) add(of(account));
  add({ ...of(0), report: undefined });
  const failing = async (): Promise<never> => Promise.reject(new Error("down"));
  const store = {
    imports: { list: failing, pending: failing, around: failing },
    quota: { used: (account: AccountId) => (account === "a59" ? failing() : 7) },
  } as unknown as Store;
  const kept = createOverview(store, { clock: () => 86_400_000 as UtcMillis, quotaTimeZone: "UTC" });
  kept.noteDisk(1_000);
  now = 3_599_999;
  assert.equal(kept.diskDays(900), undefined);
  now = 2 * 3_600_000;
  assert.deepEqual(
    [kept.diskDays(900)?.toFixed(2), kept.diskDays(1_000), kept.diskDays(null)],
    ["0.75", undefined, undefined],
  );
  const { keys, imports, pending } = await kept.make(tallies());
  const most = { accountId: "a59", usedToday: undefined, keyId: "k59", units: 60, errors: 0, refused: 0 };
  assert.deepEqual(keys[0], most);
  assert.deepEqual([keys.length, imports, pending, keys[1]?.usedToday], [50, undefined, undefined, 7]);
  for (let i = 0; i < 30; i++) kept.noteChange({ what: `${i}`, user: "u", program: "p", pid: 1 });
  assert.deepEqual(
    (await kept.make([])).changes.map(({ what }) => what),
    Array.from({ length: 20 }, (_, i) => `${29 - i}`),
  );
});
