import type { MirrorStatus } from "../../mirror/mod.ts";
import { demandOperands } from "../args.ts";
import { defineCommand } from "../command.ts";
import { engineFor } from "../with_store.ts";
import { EXIT, printable } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";
import { alignColumns, formatCount } from "../table.ts";
import { statusOfServer } from "./status.ts";

const DETAILS = `Asks the server that holds the data directory for the units that its mirror has spent and has left,
the last refresh, what it does next and why, how far the archive of each asset reaches, and what was
refused. The exit code is 0 while it works, and 75 when the upstream refuses its key, when its last
requests have failed, or when there is no mirror.`;

const SHOWN = 10;

/** `mirror status`: tells what the mirror of a running server does. */
export const mirrorStatus = defineCommand({
  name: "mirror status",
  operands: "",
  summary: "Tell what a mirror has spent, has filled, and does next",
  details: DETAILS,
  options: settingOptions(["data"]),
  async run(context, { options, operands }) {
    const { terminal } = context;
    demandOperands(operands);
    const engine = await engineFor(options, context, "read");
    const server = await statusOfServer(engine);
    const mirror = server?.mirror ?? undefined;
    if (mirror === undefined) {
      const message = server ? `The server of "${engine.name}" is no mirror: start it with --mirror URL` : `No server holds "${engine.name}" for writing`;
      await terminal.write(options.json ? `${JSON.stringify({ running: server !== undefined, mirror: null })}\n` : `${message}.\n`);
      return EXIT.notReady;
    }
    await terminal.write(options.json ? `${JSON.stringify({ running: true, mirror })}\n` : mirrorText(mirror));
    return mirror.state === "running" ? EXIT.done : EXIT.notReady;
  },
});

function mirrorText(mirror: MirrorStatus): string {
  const { state, trouble, units, next, archive, pending, refused, missing, attributionRequired } = mirror;
  const head = state === "running" ? "Running." : `${state === "stopped" ? "Stopped" : "Failing"}: ${printable(trouble?.message ?? "")}. Since ${trouble?.since}.`;
  const rows = [
    ["upstream", mirror.upstream],
    ["provider of its records", mirror.provider],
    ["units", `${formatCount(units.used)} of ${formatCount(units.perDay)} spent on ${units.day}, ${formatCount(units.left)} left until ${units.resetsAt}`],
    ["refresh", `every ${formatCount(Math.round(mirror.refreshEverySeconds / 60))} minutes, the last at ${mirror.lastRefresh ?? "-"}`],
    ["next", `${next.act}, at ${next.at}`],
    ["attribution", attributionRequired === null ? "not known yet" : attributionRequired ? "required" : "not required"],
    ["refused", `${formatCount(refused.count)} records since the start, and ${formatCount(refused.unknownCodes.length)} codes that are not in the catalog`],
    ["pending", `${formatCount(pending.length)} values that jump`],
    ["not at the upstream", missing.length === 0 ? "-" : shortened(missing)],
  ];
  const filled = archive.map(({ code, from, to, holes, complete }) => [
    code, from ?? "-", to ?? "-", holes === 0 ? "" : `${holes} holes`, complete ? "complete" : "goes on",
  ]);
  const refusals = refused.last.slice(-SHOWN).map(({ code, reason }) => `  ${printable(code)}: ${printable(reason)}`);
  const jumps = pending.slice(-SHOWN).map(({ code, value, businessTime }) => `  ${code}: ${value} at ${businessTime}`);
  return [
    head, "", ...alignColumns(rows),
    ...(filled.length > 0 ? ["", "History, by the upstream's market days:", ...alignColumns(filled).map((line) => `  ${line}`)] : []),
    ...(refusals.length > 0 ? ["", "Refused last:", ...refusals] : []),
    ...(jumps.length > 0 ? ["", "Values that wait for a second answer:", ...jumps] : []),
    "",
  ].join("\n");
}

function shortened(codes: readonly string[]): string {
  const rest = codes.length - SHOWN;
  return `${codes.slice(0, SHOWN).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
