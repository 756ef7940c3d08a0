import { formatTimestamp } from "../../../core/internal.ts";
import type { ImportAccess, Matching, Selection } from "../../stores/shared/imports.ts";
import { decideAbout } from "../accept_or_reject_records.ts";
import { defineCommand } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { assetOfOption } from "../market/find_asset_code.ts";
import { storeOptions } from "../store_options.ts";
import { formatCount, timestampOrNull } from "../text_table.ts";
import { BOUNDS_RULE, readBounds } from "../time_bounds.ts";
import { withStore } from "../with_store.ts";

const MAX_REASON_LENGTH = 500;
const DEFAULT_REASON = "withdrawn";

const DETAILS = `Takes records of one asset back: they are kept as REJECTED, with the reason, and no answer shows
them any more. Records that are REJECTED already are left. Also works while a server runs.

${BOUNDS_RULE}

A withdrawal has a number among the imports: imports list shows it, and imports undo ID reverses it.`;

/** `withdraw`: rejects records of an asset. */
export const withdraw = defineCommand({
  details: DETAILS,
  settings: ["data", "marketTimeZone"],
  options: {
    code: { kind: "text", placeholder: "CODE", summary: "The asset, e.g. USD_RLS" },
    from: { kind: "text", placeholder: "TIME", summary: "From this day or time on" },
    to: { kind: "text", placeholder: "TIME", summary: "Up to this day, included, or to this time, excluded" },
    provider: { kind: "text", placeholder: "NAME", summary: "Only records of this provider" },
    reason: {
      kind: "text",
      placeholder: "TEXT",
      summary: `Why, kept as the quality message [default ${DEFAULT_REASON}]`,
    },
    "dry-run": { kind: "switch", summary: "Say what would be withdrawn, and write nothing" },
  },
  async run(context, { options, settings }) {
    const { code, from, to, provider, reason = DEFAULT_REASON } = options;
    if (code === undefined) throw wrongUsage("--code is missing");
    if (from === undefined || to === undefined) throw wrongUsage(`--${from === undefined ? "from" : "to"} is missing`);
    if (reason.length > MAX_REASON_LENGTH) throw wrongUsage(`--reason has at most ${MAX_REASON_LENGTH} characters`);
    const { assets, values } = settings;
    const asset = assetOfOption(code, { assets, program: context.program });
    const selection: Selection = {
      code: asset.code,
      ...readBounds({ from, to }, values.marketTimeZone),
      provider: provider ?? null,
      pending: false,
    };
    const carryOut = async (imports: ImportAccess) => {
      const subject = `${selection.code} from ${formatTimestamp(selection.from)} to ${formatTimestamp(selection.to)}`;
      const { id, decided } = await decideAbout(
        imports,
        { qualityStatus: "REJECTED", qualityMessage: reason },
        { subject, selections: [selection] },
      );
      return { id, withdrawn: decided };
    };
    const { matching, known, id, withdrawn } = await withStore({ options, context, settings }, async ({ imports }) => {
      const matching = await imports.matching(selection);
      const known =
        matching.records === 0 ? await imports.matching({ ...selection, ...readBounds({}, "UTC") }) : matching;
      return {
        matching,
        known,
        ...(options["dry-run"] || matching.records === 0 ? { id: null, withdrawn: 0 } : await carryOut(imports)),
      };
    });
    const { records, first, last } = matching;
    return {
      json: {
        import: id,
        code,
        dryRun: options["dry-run"],
        matching: records,
        withdrawn,
        first: timestampOrNull(first),
        last: timestampOrNull(last),
      },
      text:
        records === 0
          ? `${absenceText(selection, known)}.\n`
          : textOf(code, matching, {
              id,
              withdrawn,
              undo: `${context.program} imports undo ${id}${storeOptions(settings)}`,
            }),
    };
  },
});

/** Says that no record can be withdrawn, and which ones of other times could be. */
function absenceText({ code, provider }: Selection, { first, last }: Matching): string {
  const subject = provider === null ? code : `${code} by "${provider}"`;
  if (first === null || last === null) return `There are no records of ${subject} to withdraw`;
  return `There are no such records of ${subject}; those of other times run from ${formatTimestamp(first)} to ${formatTimestamp(last)}`;
}

function textOf(
  code: string,
  { records, first, last }: Matching,
  { id, withdrawn, undo }: { id: number | null; withdrawn: number; undo: string },
): string {
  const span = `of ${code}, from ${timestampOrNull(first)} to ${timestampOrNull(last)}`;
  if (id === null)
    return `${formatCount(records)} records ${span}, would be withdrawn. Nothing was written: this was a dry run.\n`;
  return `${formatCount(withdrawn)} records ${span}, are withdrawn.\nThis is import ${id}. To take it back: ${undo}\n`;
}
