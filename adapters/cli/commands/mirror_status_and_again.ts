import { DAY_MS, dayNumber, REQUEST_DAYS } from "../../../core/internal.ts";
import { MAX_WISHED_DAYS } from "../../feeds/mirror/mod.ts";
import type { Engine } from "../../stores/shared/engine.ts";
import { defineCommand } from "../command.ts";
import { CommandFailure, EXIT, wrongUsage } from "../command_failure.ts";
import { assetOf } from "../market/find_asset_code.ts";
import { mirrorText } from "../mirror_text.ts";
import { demandOperands, textOption } from "../parse_arguments.ts";
import { countOf } from "../text_table.ts";
import { demandGregorian, readDay } from "../time_bounds.ts";
import { statusOfServer } from "./status.ts";

const DETAILS = `Shows the state of the mirror of the server that owns the data directory: running, resting, failing
or late, why, and until when; units spent and left; the last refresh and the newest value; how far
the archive of each asset reaches; refused records and pending values. The exit code is 0 while the
mirror runs, and 75 otherwise, also when there is no mirror.`;

/** `mirror status`: shows the state of the mirror in a running server. */
export const mirrorStatus = defineCommand({
  details: DETAILS,
  async run(context, { findEngine }) {
    const engine = await findEngine();
    const server = await statusOfServer(engine);
    const mirror = server?.mirror ?? undefined;
    if (mirror === undefined)
      return {
        json: { running: server !== undefined, mirror: null },
        text: `${absenceOf(engine)}.\n`,
        exitCode: EXIT.notReady,
      };
    return {
      json: { running: true, mirror },
      text: mirrorText(mirror, context.program),
      exitCode: mirror.state === "running" ? EXIT.done : EXIT.notReady,
    };
  },
});

/** `mirror again`: tells the mirror of a running server to request some days again. */
export const mirrorAgain = defineCommand({
  details: `Use this for days that the upstream has corrected or added. The running server requests them at once
if it has more units than its refreshes need, else after an hour, with one request per 32 days.`,
  options: {
    from: textOption("DATE", "The first day, YYYY-MM-DD"),
    to: textOption("DATE", "The last day, included"),
  },
  async run(context, { options, operands, settings, findEngine }) {
    const { CODE } = demandOperands(operands, "CODE");
    const { code } = assetOf(CODE, settings.assets);
    demandGregorian(options);
    const [from, to] = [dayNumber(readDay("--from", options.from)), dayNumber(readDay("--to", options.to))];
    if (to < from) throw wrongUsage("--to must not be before --from");
    if (to - from >= MAX_WISHED_DAYS)
      throw wrongUsage(
        `At most ${MAX_WISHED_DAYS} days can be requested again at a time, because requests for other history wait until these days have arrived`,
      );
    if (from > context.clock() / DAY_MS + 1) throw wrongUsage("--from must not be in the future");
    const engine = await findEngine();
    if (!engine.mirrorAgain) throw wrongUsage(`Several servers may share "${engine.name}", so it has no mirror`);
    const asked = await engine.mirrorAgain(code, { from, to });
    if (!asked) throw new CommandFailure(absenceOf(engine), EXIT.notReady);
    const requests = Math.ceil((to - from + 1) / REQUEST_DAYS);
    return {
      json: { code, from: options.from, to: options.to, requests },
      text: `${code} is requested again, in ${countOf(requests, "request")}: mirror status shows the progress.\n`,
    };
  },
});

function absenceOf({ name }: Pick<Engine, "name">): string {
  return `No running server is a mirror for "${name}": start one with mazaneh serve --mirror URL`;
}
