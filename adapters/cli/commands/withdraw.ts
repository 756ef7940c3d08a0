import { formatTimestamp } from "../../../core/internal.ts";
import type { Selection } from "../../stores/shared/imports.ts";
import { decideAbout } from "../accept_or_reject_records.ts";
import { defineCommand } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { assetOf } from "../market/find_asset_code.ts";
import { switchOption, textOption } from "../parse_arguments.ts";
import { storeOptions } from "../store_options.ts";
import { countOf, timestampOrNull } from "../text_table.ts";
import { BOUNDS_RULE, readBounds } from "../time_bounds.ts";

const MAX_REASON_LENGTH = 500;
const DEFAULT_REASON = "withdrawn";

const DETAILS = `Withdraws records of one asset: they are kept as REJECTED, with the reason, and no answer shows
them any more. Records that are already REJECTED do not change. Also works while a server runs.

${BOUNDS_RULE}

mazaneh imports list also shows withdrawals, and mazaneh imports undo ID reverses one.`;

/** `withdraw`: rejects records of an asset. */
export const withdraw = defineCommand({
  details: DETAILS,
  settings: ["data", "marketTimeZone"],
  options: {
    code: textOption("CODE", "The asset, e.g. USD_RLS"),
    from: textOption("TIME", "From this day or time on"),
    to: textOption("TIME", "Up to and including this day, or before this time"),
    provider: textOption("NAME", "Only records of this provider"),
    reason: textOption("TEXT", `Reason, stored as the quality message [default ${DEFAULT_REASON}]`),
    "dry-run": switchOption("Show what would be withdrawn, and write nothing"),
  },
  async run(context, { options, settings, withStore }) {
    const { code, from, to, provider, reason = DEFAULT_REASON } = options;
    if (code === undefined) throw wrongUsage("--code is missing");
    if (from === undefined || to === undefined) throw wrongUsage(`--${from === undefined ? "from" : "to"} is missing`);
    if (reason.length > MAX_REASON_LENGTH) throw wrongUsage(`--reason has at most ${MAX_REASON_LENGTH} characters`);
    const selection: Selection = {
      code: assetOf(code, settings.assets).code,
      ...readBounds({ from, to }, settings.values.marketTimeZone),
      provider: provider ?? null,
      pending: false,
    };
    const dryRun = options["dry-run"];
    return withStore(async ({ imports }) => {
      const matching = await imports.matching(selection);
      const { records } = matching;
      const [first, last] = [timestampOrNull(matching.first), timestampOrNull(matching.last)];
      const json = { import: null as number | null, code, dryRun, matching: records, withdrawn: 0, first, last };
      if (records === 0) return { json, text: `There are no such records of ${code} to withdraw.\n` };
      const span = `of ${code}, from ${first} to ${last}`;
      if (dryRun) {
        const text = `${countOf(records, "record")} ${span}, would be withdrawn. Nothing was written: this was a dry run.\n`;
        return { json, text };
      }
      const subject = `${code} from ${formatTimestamp(selection.from)} to ${formatTimestamp(selection.to)}`;
      const decision = { qualityStatus: "REJECTED", qualityMessage: reason } as const;
      const { id, decided: withdrawn } = await decideAbout(imports, decision, { subject, selections: [selection] });
      const undo = `${context.program} imports undo ${id}${storeOptions(settings)}`;
      const done = `${countOf(withdrawn, "record")} ${span}, ${withdrawn === 1 ? "is" : "are"} withdrawn.`;
      return {
        json: { ...json, import: id, withdrawn },
        text: `${done}\nThis is import ${id}. To undo it: ${undo}\n`,
      };
    });
  },
});
