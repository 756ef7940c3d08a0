import { formatTimestamp } from "../../../core/internal.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import type { Decision, PendingRecords } from "../../stores/shared/imports.ts";
import { decideAbout } from "../accept_or_reject_records.ts";
import { type Command, defineCommand } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { assetOf } from "../market/find_asset_code.ts";
import { demandOperands, switchOption, textOption } from "../parse_arguments.ts";
import { storeOptions } from "../store_options.ts";
import { countOf, formatTime, table, timestampOrNull } from "../text_table.ts";
import { BOUNDS_RULE, readBounds } from "../time_bounds.ts";

const HEADING = ["asset", "business time", "value", "source", "provider", "reason"];
const LISTED = 20;
const NAMED = 5;
const LISTED_JSON = 1_000;

/** `pending list`: lists pending values. */
export const pendingList = defineCommand({
  details: `Suspicious values are stored as PENDING when there is nobody to ask. The API does not return
them until you accept them with pending accept. To discard them, use pending reject.`,
  async run(context, { options, operands: [code, ...more], settings, withStore }) {
    demandOperands(more);
    const asset = code === undefined ? null : assetOf(code, settings.assets).code;
    const pending = await withStore(({ imports }) => imports.pending(asset, options.json ? LISTED_JSON : LISTED));
    return {
      json: pendingJson(pending),
      text: pendingText(pending, (verb, rest) => `${context.program} pending ${verb} ${rest}${storeOptions(settings)}`),
    };
  },
});

/** `pending accept`: accepts pending values as prices. */
export const pendingAccept = defineDecision("accept", {
  qualityStatus: "ACCEPTED",
  qualityMessage: "accepted by hand",
});

/** `pending reject`: rejects pending values. */
export const pendingReject = defineDecision("reject", {
  qualityStatus: "REJECTED",
  qualityMessage: "rejected by hand",
});

function defineDecision(verb: "accept" | "reject", decision: Decision): Command {
  return defineCommand({
    details: `Applies to the pending values of one asset, or of all; --from and --to limit their times. Asks for
confirmation unless you give --yes. Also works while a server runs.

${BOUNDS_RULE}

A decision is numbered like an import: mazaneh imports undo ID makes the values pending again.`,
    settings: ["data", "marketTimeZone"],
    options: {
      from: textOption("TIME", "From this day or time"),
      to: textOption("TIME", "Up to this day (included) or time (excluded)"),
      yes: switchOption("Do not ask for confirmation"),
    },
    async run(context, { options, operands, settings, withStore }) {
      const { terminal, program } = context;
      const { "CODE|all": name } = demandOperands(operands, "CODE|all");
      const code = name === "all" ? null : assetOf(name, settings.assets).code;
      const bounds = readBounds(options, settings.values.marketTimeZone);
      return withStore(async ({ imports }) => {
        const { assets } = await imports.pending(code, 0);
        const selections = assets.map(({ code }) => ({ code, ...bounds, provider: null, pending: true }));
        const found = await Promise.all(selections.map((selection) => imports.matching(selection)));
        const pending = found.reduce((sum, { records }) => sum + records, 0);
        const codes = assets.filter((_, i) => found[i]!.records > 0).map(({ code }) => code);
        const nothing = { import: null, codes, decided: 0 };
        if (pending === 0) return { json: nothing, text: "No pending values match.\n" };
        const names = codes.length > NAMED ? `${codes.length} assets` : codes.join(", ");
        const valuesOf = (count: number): string => `${countOf(count, "value")} of ${names}`;
        if (!options.yes) {
          if (!terminal.ask) throw wrongUsage(`${valuesOf(pending)} would be ${verb}ed: give --yes to confirm`);
          const isConfirmed = await terminal.ask(`${valuesOf(pending)} will be ${verb}ed. Continue?`);
          if (!isConfirmed) return { json: nothing, text: "Nothing was changed.\n" };
        }
        const subject = `${verb === "accept" ? "accepted " : ""}pending values of ${names}`;
        const { id, decided } = await decideAbout(imports, decision, { subject, selections });
        const done = `${verb === "accept" ? "Accepted" : "Rejected"} ${valuesOf(decided)}.`;
        const text = `${done}\nThis is import ${id}. To undo it: ${program} imports undo ${id}${storeOptions(settings)}\n`;
        return { json: { import: id, codes, decided }, text };
      });
    },
  });
}

/** The options that select exactly this span. `--to` is a millisecond after `last`, because `--to` is excluded. */
function boundsText({ first, last }: PendingRecords["assets"][number]): string {
  return ` --from ${formatTime(first)} --to ${formatTime((last! + 1) as UtcMillis)}`;
}

function pendingText(
  { assets, values }: PendingRecords,
  commandFor: (verb: "accept" | "reject", rest: string) => string,
): string {
  const rows = values.map(({ code, businessTime, value, source, provider, qualityMessage }) => {
    return [code, formatTimestamp(businessTime), value, source, provider ?? "-", qualityMessage || "-"];
  });
  if (assets.length === 0) return table(HEADING, rows, "No pending values.");
  const only = assets.length === 1 ? assets[0]! : undefined;
  const code = only?.code ?? "all";
  const lines = [
    ...assets.map(({ code, records, first, last }) => {
      return `${code}: ${countOf(records, "value")}, from ${formatTime(first)} to ${formatTime(last)}`;
    }),
    `To accept: ${commandFor("accept", code)}`,
    ...(only && only.records > 1 ? [`To accept a range: ${commandFor("accept", `${code}${boundsText(only)}`)}`] : []),
    `To reject: ${commandFor("reject", code)}`,
  ];
  return `${table(HEADING, rows, "")}\n${lines.join("\n")}\n`;
}

function pendingJson({ assets, values }: PendingRecords): object {
  return {
    pending: assets.reduce((sum, { records }) => sum + records, 0),
    assets: assets.map((asset) => {
      return { ...asset, first: timestampOrNull(asset.first), last: timestampOrNull(asset.last) };
    }),
    values: values.map(({ code, businessTime, value, source, provider, qualityMessage, insertTime }) => {
      const times = { businessTime: formatTimestamp(businessTime), insertTime: formatTimestamp(insertTime) };
      return { code, ...times, value, source, provider, qualityMessage };
    }),
  };
}
