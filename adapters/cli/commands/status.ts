import type { ServerStatus } from "../../server/monitoring/monitoring.ts";
import type { ReadinessReport } from "../../server/monitoring/readiness.ts";
import { inTime } from "../../stores/shared/answer_in_time.ts";
import type { Engine } from "../../stores/shared/engine.ts";
import { defineCommand } from "../command.ts";
import { CommandFailure, EXIT, printable, wrongUsage } from "../command_failure.ts";
import { alignColumns, countOf, durationInWords, formatCount } from "../text_table.ts";

const DETAILS = `Asks the server that owns the data directory. The exit code is 0 when it is ready, and 75 when it
is not, or when there is no server: a container or a service manager can use this as its health
check. For a store in a database, which many servers share, it asks the server on this machine whose
admin listener has the port --admin-port.`;

/** The maximum wait for an answer: a hanging server must not block a health check. */
const ANSWER_MS = 5_000;

/** `status`: shows whether the server is ready, and its main figures. */
export const status = defineCommand({
  details: DETAILS,
  settings: ["data", "adminPort"],
  async run(_, { settings, findEngine }) {
    const engine = await findEngine();
    const { adminPort } = settings.values;
    const owner = engine.status && (await statusOfServer(engine));
    const found = engine.status ? owner : await askListener(adminPort);
    if (!found) {
      const place = engine.status ? `owns "${engine.name}"` : `answers on the admin port ${adminPort}`;
      const reason = { code: "no-server", message: `No server ${place}`, since: null };
      const json = { running: false, ready: false, reasons: [reason] };
      return { json, text: `${reason.message}.\n`, exitCode: EXIT.notReady };
    }
    return {
      json: { running: true, ...found },
      text: `${[...stateLines(found), ...(owner ? figuresOf(owner) : [])].join("\n")}\n`,
      exitCode: found.ready ? EXIT.done : EXIT.notReady,
    };
  },
});

/** The status of the server that owns the data, if any. Throws a usage failure if servers may share the data. */
export async function statusOfServer({ name, status }: Engine): Promise<ServerStatus | undefined> {
  if (!status) throw wrongUsage(`Several servers may share "${name}": ask each server on its admin listener (/readyz)`);
  const found = inTime(status(), ANSWER_MS, () => {
    throw new CommandFailure(`The server has not answered for ${ANSWER_MS / 1_000} seconds`, EXIT.notReady);
  });
  return found as Promise<ServerStatus | undefined>; // Written by a server of the same version.
}

/** The answer of the server on this machine to `/readyz`, if it answers. */
async function askListener(port: number | "none"): Promise<ReadinessReport | undefined> {
  if (port === "none")
    throw wrongUsage(
      "Several servers may share this store: choose one with --admin-port, the port of its admin listener",
    );
  const asked = async (): Promise<unknown> =>
    (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(ANSWER_MS) })).json();
  const answer = await asked().catch(() => undefined);
  // Another program may listen there.
  const isReport = typeof answer === "object" && answer !== null && "ready" in answer && "reasons" in answer;
  return isReport && Array.isArray(answer.reasons) ? (answer as ReadinessReport) : undefined;
}

function stateLines({ ready, reasons, pending, damages }: ReadinessReport): string[] {
  const state = ready
    ? ["Ready."]
    : ["Not ready.", ...reasons.map(({ code, message, since }) => `  ${code}: ${printable(message)}. Since ${since}.`)];
  if (damages)
    state.push(
      `${countOf(damages, "place")} in the data could not be read; the rest is served. Run mazaneh verify for details, then mazaneh repair.`,
    );
  if (pending)
    state.push(
      `${countOf(pending, "value")} ${pending === 1 ? "waits" : "wait"} for a decision: see mazaneh pending list.`,
    );
  return state;
}

function figuresOf(found: ServerStatus): readonly string[] {
  const { url, adminUrl, newestRecord, newestRecordAgeSeconds, diskFreeBytes, requests } = found;
  const age = durationInWords((newestRecordAgeSeconds ?? 0) * 1_000);
  const rows = [
    ["version", found.version],
    ["process", `${found.pid}, since ${found.startedAt}`],
    ["listens on", url ?? "-"],
    ["admin listener", adminUrl ?? "none"],
    ["records", countOrUnknown(found.records)],
    ["newest record", newestRecord === null ? "none" : `${newestRecord}, ${age} old`],
    ["requests", requests === null ? "not counted without an admin listener" : formatCount(requests)],
    ["connections", formatCount(found.connections)],
    ["in flight", formatCount(found.inFlight)],
    ["event loop delay", `${found.eventLoopDelayMs} ms`],
    ["memory", megabytes(found.memoryBytes)],
    ["disk left", diskFreeBytes === null ? "-" : megabytes(diskFreeBytes)],
    ["damages", countOrUnknown(found.damages)],
    ["last backup", found.lastBackup ?? "none"],
    ["log lines lost", formatCount(found.linesLost)],
  ];
  return ["", ...alignColumns(rows)];
}

function countOrUnknown(count: number | null): string {
  return count === null ? "unknown" : formatCount(count);
}

function megabytes(bytes: number): string {
  return `${formatCount(Math.round(bytes / 1e6))} MB`;
}

/** `admin`: prints the address of the running server's admin page. */
export const admin = defineCommand({
  details: `The admin listener of a server has a page: readiness with its reasons, units by account and key,
errors, the age of each asset, pending values, imports, changes, the disk and the last backup. It
listens on this machine only; reach it from elsewhere through a tunnel.`,
  async run(_, { findEngine }) {
    const engine = await findEngine();
    const found = await statusOfServer(engine);
    if (!found) throw new CommandFailure(`No server owns "${engine.name}"`, EXIT.notReady);
    if (found.adminUrl === null)
      throw new CommandFailure("The server has no admin listener: start it with --admin-port 9464", EXIT.notReady);
    const { host } = new URL(found.adminUrl);
    const url = `${found.adminUrl}/`;
    return {
      json: { url },
      text: `${url}\nFrom another machine:  ssh -L ${host.split(":").at(-1)}:${host} THIS_MACHINE  and then open the same address.\n`,
    };
  },
});
