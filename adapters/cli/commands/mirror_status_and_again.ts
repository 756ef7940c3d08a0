import { DAY_MS, dayNumber, parseDate } from "../../../core/internal.ts";
import { MAX_WISHED_DAYS } from "../../feeds/mirror/mod.ts";
import { defineCommand } from "../command.ts";
import { CommandFailure, EXIT, wrongUsage } from "../command_failure.ts";
import { assetOf } from "../market/find_asset_code.ts";
import { mirrorText } from "../mirror_text.ts";
import { demandOperands } from "../parse_arguments.ts";
import { demandGregorian } from "../time_bounds.ts";
import { engineFor } from "../with_store.ts";
import { statusOfServer } from "./status.ts";

const DETAILS = `Asks the server that owns the data directory what its mirror does: it runs, rests, fails or is late,
why, and until when; the units that it has spent and has left; the last refresh and the newest value;
how far the archive of each asset reaches; what was refused, and what waits for a decision. The exit
code is 0 while it runs, and 75 otherwise, or when there is no mirror.`;

/** `mirror status`: tells what the mirror of a running server does. */
export const mirrorStatus = defineCommand({
  details: DETAILS,
  settings: ["data"],
  async run(context, { options, settings }) {
    const engine = await engineFor({ options, context, settings });
    const server = await statusOfServer(engine);
    const mirror = server?.mirror ?? undefined;
    if (mirror === undefined) {
      const message = server
        ? `The server of "${engine.name}" is no mirror: start it with --mirror URL`
        : `No server owns "${engine.name}", so no mirror runs`;
      return { json: { running: server !== undefined, mirror: null }, text: `${message}.\n`, exitCode: EXIT.notReady };
    }
    return {
      json: { running: true, mirror },
      text: mirrorText(mirror, context.program),
      exitCode: mirror.state === "running" ? EXIT.done : EXIT.notReady,
    };
  },
});

/** `mirror again`: has the mirror of a running server ask for days again. */
export const mirrorAgain = defineCommand({
  details: `For days that the upstream has corrected, or has only now. The running server asks at once while
units are left beside those of the refreshes, else after an hour: a request for each 32 days.`,
  settings: ["data"],
  options: {
    from: { kind: "text", placeholder: "DATE", summary: "The first day, YYYY-MM-DD" },
    to: { kind: "text", placeholder: "DATE", summary: "The last day, included" },
  },
  async run(context, { options, operands, settings }) {
    const { CODE } = demandOperands(operands, "CODE");
    const { code } = assetOf(CODE, { ...settings, ...context }, `CODE must be one of the catalog: received "${CODE}"`);
    demandGregorian(options);
    const [from, to] = [dayOf("--from", options.from), dayOf("--to", options.to)];
    if (to < from) throw wrongUsage("--to must not be before --from");
    if (to - from >= MAX_WISHED_DAYS)
      throw wrongUsage(
        `At most ${MAX_WISHED_DAYS} days can be asked for again at a time, as other history waits meanwhile`,
      );
    if (from > context.clock() / DAY_MS + 1) throw wrongUsage("--from must not be in the future");
    const engine = await engineFor({ options, context, settings });
    if (!engine.mirrorAgain) throw wrongUsage(`No one server owns "${engine.name}", so it has no mirror`);
    const asked = await engine.mirrorAgain(code, { from, to });
    if (!asked) {
      const why =
        asked === undefined
          ? `No server owns "${engine.name}", and only the mirror of a running one asks`
          : `The server of "${engine.name}" is no mirror`;
      throw new CommandFailure(
        `${why}: start it with "${context.program} serve --mirror URL", then repeat this command`,
        EXIT.notReady,
      );
    }
    const requests = Math.ceil((to - from + 1) / DAYS_OF_A_REQUEST);
    return {
      json: { code, from: options.from, to: options.to, requests },
      text: `${code} is asked for again, in ${requests} ${requests === 1 ? "request" : "requests"}: mirror status tells how far it is.\n`,
    };
  },
});

/** Source: contract, Limits. */
const DAYS_OF_A_REQUEST = 32;

function dayOf(option: string, text: string | undefined): number {
  const date = parseDate(text ?? "");
  if (date === undefined) throw wrongUsage(`${option} must be a day, YYYY-MM-DD: received "${text ?? ""}"`);
  return dayNumber(date);
}
