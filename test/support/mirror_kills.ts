import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { Json } from "./api_under_test.ts";
import { mazaneh, servingChild as serving, temporaryDirectory } from "./cli.ts";
import { MIRRORED, mirrorOf, startUpstream, UNITS } from "./upstream_process.ts";

/** The result of killing a mirror again and again. */
export interface MirrorKills {
  readonly kills: number;
  /** The units that the upstream has counted. */
  readonly units: number;
  readonly records: number;
  readonly violations: readonly string[];
}

const PLENTY_MS = 60_000;

/**
 * Kills a mirror with SIGKILL at a random moment after each start, and compares the units that the upstream has counted
 * with the units that the mirror has counted. Then lets the mirror fetch all history, and compares the records of both.
 */
export async function killMirror(t: TestContext, kills: number, chance: () => number): Promise<MirrorKills> {
  const { url, key, data: upstreamData } = await startUpstream(t);
  const data = join(await temporaryDirectory(t), "mirror");
  const [args, env] = mirrorOf(url, key, data);
  const violations: string[] = [];

  async function counted(): Promise<{ readonly used: number }> {
    const { headers } = await fetch(`${url}/api/v1/access`, { headers: { "X-API-Key": key } });
    return { used: UNITS - Number(headers.get("X-RateLimit-Remaining")) };
  }

  async function compareLedger(round: number): Promise<void> {
    const ledger = await ledgerOf(data);
    const { used } = await counted();
    const written = Object.values(ledger?.["spans"] ?? {}).reduce(
      (sum, span) => sum + Number(span["good"]) + Number(span["open"]),
      0,
    );
    if (used > written) violations.push(`kill ${round}: the upstream has counted ${used} units, the ledger ${written}`);
  }

  for (let round = 1; round <= kills; round++) {
    const { child } = await serving(t, args, env);
    await new Promise((resolve) => setTimeout(resolve, chance() * 500));
    const closed = new Promise((resolve) => child.once("close", resolve));
    child.kill("SIGKILL");
    await closed;
    await compareLedger(round);
  }

  const last = await serving(t, args, env);
  const until = performance.now() + PLENTY_MS;
  let archive: readonly Json[] = [];
  do {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { json } = await mazaneh(["mirror", "status", "--data", data, "--json"]);
    archive = Object.values(json()["mirror"]?.["archive"] ?? {});
  } while (
    performance.now() < until &&
    !(archive.length === MIRRORED.length && archive.every((one) => String(one["complete"]) === "true"))
  );
  if ((await last.stop()) !== 0) violations.push(`the mirror did not stop cleanly: ${last.errors()}`);
  await compareLedger(kills + 1);

  const [ours, theirs] = await Promise.all([recordsOf(data), recordsOf(upstreamData)]);
  for (const record of theirs) if (!ours.has(record)) violations.push(`not mirrored: ${record}`);
  for (const record of ours) if (!theirs.has(record)) violations.push(`not a record of the upstream: ${record}`);
  return { kills, units: (await counted()).used, records: ours.size, violations: violations.slice(0, 20) };
}

async function ledgerOf(data: string): Promise<Json | undefined> {
  const folder = join(data, "mirror");
  const [name] = await readdir(folder).catch(() => []);
  const whole = name?.endsWith(".json") ? name : undefined;
  if (whole === undefined) return undefined;
  return (JSON.parse(await readFile(join(folder, whole), "utf8")) as Json)["state"]?.["ledger"];
}

async function recordsOf(data: string): Promise<ReadonlySet<string>> {
  const { out } = await mazaneh(["export", "--data", data]);
  return new Set(
    out
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => line.split(",").slice(0, 3).join(",")),
  );
}
