import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { openJsonFiles } from "../../adapters/json_files/mod.ts";
import type { JsonFileStore } from "../../adapters/json_files/mod.ts";
import { nodeSha256 } from "../../adapters/node/digest.ts";
import { randomBytes, requestIds } from "../../adapters/system.ts";
import type { AccountId, UtcMillis } from "../../core/brand.ts";
import { valueOf } from "../../core/http/headers.ts";
import { createApi, issueKey } from "../../core/mod.ts";
import type { Api } from "../../core/mod.ts";
import { err } from "../../core/result.ts";
import { observed } from "../support/store_suite.ts";
import { emptyDisk } from "./disk.ts";
import type { Image } from "./disk.ts";
import { createFaultFs } from "./fault_fs.ts";
import { createRandom } from "./trial.ts";
import type { Found, Trial } from "./trial.ts";

/** What jumps, the zone whose midnights begin the quota days, and the moments that the clock jumps to. */
const CASES = [
  ["back a day and forward again", "UTC", ["2026-11-21T10:00:00Z", "2026-11-20T10:00:00Z", "2026-11-21T10:00:01Z", "2026-11-22T10:00:00Z"]],
  ["forward a day and back", "UTC", ["2026-11-21T10:00:00Z", "2026-11-22T10:00:00Z", "2026-11-21T10:00:01Z", "2026-11-22T10:00:01Z"]],
  ["over the end of the day, and back over it", "UTC", ["2026-11-21T23:59:59.999Z", "2026-11-22T00:00:00Z", "2026-11-21T23:59:59.999Z", "2026-11-22T00:00:00Z"]],
  ["to 1970, as a machine without a battery starts", "UTC", ["2026-11-21T10:00:00Z", "1970-01-01T00:00:01Z", "2026-11-21T10:00:01Z"]],
  ["through the leap day", "Asia/Tehran", ["2028-02-28T20:29:59Z", "2028-02-28T20:30:00Z", "2028-02-29T20:29:59Z", "2028-02-29T20:30:00Z"]],
  [
    "through the hour that comes twice",
    "America/New_York",
    ["2026-11-01T04:00:00Z", "2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-11-02T04:59:59Z", "2026-11-02T05:00:00Z"],
  ],
  ["where midnight itself is left out", "America/Sao_Paulo", ["2018-11-04T02:59:59Z", "2018-11-04T03:00:00Z", "2018-11-05T01:59:59Z", "2018-11-05T02:00:00Z"]],
] as const;

const LIMIT = 12;
const HOUR = 3_600_000;

/**
 * Moves the clock of an API about, and asks after each move for more than a day's units; some moves come
 * with a crash. For no day by the zone's calendar more may be served than the limit, nor anything
 * refused that was left.
 */
export async function jump({ directory, seed, rounds: jumps }: Trial): Promise<Found> {
  const counts = { jumps: 0, days: 0, served: 0, refused: 0, crashes: 0 };
  const violations: string[] = [];
  for (const [i, [what, zone, moments]] of CASES.entries()) {
    const found = await jumpIn(zone, moments, { directory: join(directory, String(i)), seed: seed + i, jumps, counts });
    violations.push(...found.slice(0, 5).map((violation) => `${what}: ${violation}`));
  }
  return { ...counts, violations };
}

interface Case {
  readonly directory: string;
  readonly seed: number;
  readonly jumps: number;
  readonly counts: Record<"jumps" | "days" | "served" | "refused" | "crashes", number>;
}

async function jumpIn(zone: string, moments: readonly string[], { directory, seed, jumps, counts }: Case): Promise<readonly string[]> {
  const random = createRandom(seed);
  // The calendar of the runtime, not of the program.
  const calendar = new Intl.DateTimeFormat("en-CA", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });
  const served = new Map<string, number>();
  const violations: string[] = [];
  const first = Date.parse(moments[0]!);
  let now = first as UtcMillis;
  const clock = (): UtcMillis => now;
  await mkdir(directory, { mode: 0o700 });
  let disk = createFaultFs(emptyDisk(dirname(directory)));
  let store = await openJsonFiles(directory, { clock, fs: disk.fs });
  const key = await newAccount(store, now);
  let api = apiOf(store);

  function apiOf({ observations, accounts, quota }: JsonFileStore): Api {
    return createApi({ clock, requestIds, sha256: nodeSha256, observations, accounts, quota, quotaTimeZone: zone });
  }

  async function crash(): Promise<void> {
    const image: Image = disk.image();
    await store.close(); // What it still writes goes to the disk that is thrown away.
    disk = createFaultFs(image);
    store = await openJsonFiles(directory, { clock, fs: disk.fs });
    api = apiOf(store);
    counts.crashes++;
  }

  /** Up to two days on or back, within ten days of the first moment: counters are kept for 35. */
  function moved(from: UtcMillis): UtcMillis {
    const to = from + (random.below(96) - 48) * HOUR + random.below(HOUR);
    return (Math.abs(to - first) < 240 * HOUR ? to : first + random.below(48 * HOUR)) as UtcMillis;
  }

  for (let at = 0; at < moments.length + jumps; at++, counts.jumps++) {
    const planned = moments[at];
    now = planned === undefined ? moved(now) : (Date.parse(planned) as UtcMillis);
    if (random.chance(0.2)) await crash();
    const date = calendar.format(now);
    for (let request = 1 + random.below(LIMIT + 3); request > 0; request--) {
      const { status, headers } = await api({
        method: "GET",
        target: "/api/v1/assets/USD_RLS",
        headers: new Map([["x-api-key", key]]),
        scheme: "http",
        text: async () => err("TOO_LARGE"),
      });
      const reset = valueOf(headers, "x-ratelimit-reset");
      const before = served.get(date) ?? 0;
      if (status === 200) served.set(date, before + 1);
      else counts.refused++;
      if (status === 200 ? before >= LIMIT : before < LIMIT) violations.push(`${date} at ${new Date(now).toISOString()}: ${status} after ${before} units`);
      if (calendar.format(Number(reset) * 1_000) <= date) violations.push(`${date}: begins anew at ${reset}`);
    }
  }
  await store.close();
  counts.days += served.size;
  counts.served += [...served.values()].reduce((sum, count) => sum + count, 0);
  return violations;
}

async function newAccount(store: JsonFileStore, createdAt: UtcMillis): Promise<string> {
  const id = "alice" as AccountId;
  const { key, entry } = await issueKey({ randomBytes, sha256: nodeSha256 }, { accountId: id, createdAt });
  await store.accounts.update([
    { op: "plan.patch", name: "DAILY", dailyUnits: LIMIT, attributionRequired: false },
    { op: "key.create", entry, plan: "DAILY" },
  ]);
  await store.observations.append([observed(0, 1)]);
  return key;
}
