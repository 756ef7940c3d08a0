import { formatTimestamp } from "../../../core/internal.ts";
import type { AssetCode } from "../../../core/mod.ts";
import type { Decision, PendingRecords } from "../../stores/shared/imports.ts";
import { decideAbout } from "../accept_or_reject_records.ts";
import { type Command, defineCommand } from "../command.ts";
import { wrongUsage } from "../command_failure.ts";
import { assetOf, type CodeSearch } from "../market/find_asset_code.ts";
import { demandOperands } from "../parse_arguments.ts";
import { settingOptions, settingsInForce } from "../settings_sources.ts";
import { storeOptions } from "../store_options.ts";
import { formatCount, formatTime, table, timestampOrNull } from "../text_table.ts";
import { BOUNDS_RULE, readBounds } from "../time_bounds.ts";
import { withStore } from "../with_store.ts";

const HEADING = ["asset", "business time", "value", "source", "provider", "why it waits"];
const LISTED = 20;
const NAMED = 5;
const LISTED_JSON = 1_000;

/** `pending list`: the values that wait for a decision. */
export const pendingList = defineCommand({
  name: "pending list",
  operands: "[CODE]",
  summary: "List the values that wait for a decision",
  details: `Values that look wrong are stored as PENDING where nobody could be asked. No answer shows them until
pending accept; pending reject takes them back.`,
  options: settingOptions(["data"]),
  async run(context, { options, operands: [code, ...more] }) {
    demandOperands(more);
    const settings = await settingsInForce(options, context.environment);
    const asset = code === undefined ? null : codeOf(code, { ...settings, ...context });
    const pending = await withStore({ options, context, settings }, ({ imports }) =>
      imports.pending(asset, options.json ? LISTED_JSON : LISTED),
    );
    return {
      json: pendingJson(pending),
      text: pendingText(pending, (verb, code) => `${context.program} pending ${verb} ${code}${storeOptions(settings)}`),
    };
  },
});

/** `pending accept`: makes prices of values that waited. */
export const pendingAccept = defineDecision(
  "accept",
  { qualityStatus: "ACCEPTED", qualityMessage: "accepted by hand" },
  "Accept values that wait: answers show them from then on",
);

/** `pending reject`: takes values back that waited. */
export const pendingReject = defineDecision(
  "reject",
  { qualityStatus: "REJECTED", qualityMessage: "rejected by hand" },
  "Reject values that wait: no answer ever shows them",
);

function defineDecision(verb: "accept" | "reject", decision: Decision, summary: string): Command {
  return defineCommand({
    name: `pending ${verb}`,
    operands: "CODE|all",
    summary,
    details: `Decides about the values of one asset that wait, or of all. Asks first; with --yes it does not ask.
Also works while a server runs.

${BOUNDS_RULE}

A decision has a number among the imports: imports undo ID lets the values wait again.`,
    options: {
      from: { kind: "text", placeholder: "TIME", summary: "From this day or time on" },
      to: { kind: "text", placeholder: "TIME", summary: "Up to this day, included, or to this time, excluded" },
      yes: { kind: "switch", summary: "Do not ask" },
      ...settingOptions(["data", "marketTimeZone"]),
    },
    async run(context, { options, operands }) {
      const { terminal, program } = context;
      const { "CODE|all": name } = demandOperands(operands, "CODE|all");
      const settings = await settingsInForce(options, context.environment);
      const code = name === "all" ? null : codeOf(name, { ...settings, ...context });
      const bounds = readBounds(options, settings.values.marketTimeZone);
      return withStore({ options, context, settings }, async ({ imports }) => {
        const { assets } = await imports.pending(code, 0);
        const selections = assets.map(({ code }) => ({ code, ...bounds, provider: null, pending: true }));
        const found = await Promise.all(selections.map((selection) => imports.matching(selection)));
        const pending = found.reduce((sum, { records }) => sum + records, 0);
        const codes = assets.filter((_, i) => found[i]!.records > 0).map(({ code }) => code);
        const nothing = { import: null, codes, decided: 0 };
        if (pending === 0) return { json: nothing, text: "No such values wait for a decision.\n" };
        const names = codes.length > NAMED ? `${codes.length} assets` : codes.join(", ");
        const valuesOf = (count: number): string =>
          `${count === 1 ? "1 value" : `${formatCount(count)} values`} of ${names}`;
        if (!options.yes) {
          if (!terminal.ask) throw wrongUsage(`${valuesOf(pending)} would be ${verb}ed: give --yes to agree`);
          const answer = await terminal.ask(`${valuesOf(pending)} will be ${verb}ed. Go on? [y/N]`);
          if (!/^y(es)?$/i.test(answer)) return { json: nothing, text: "Nothing was changed.\n" };
        }
        const subject = `${verb === "accept" ? "accepted " : ""}pending values of ${names}`;
        const { id, decided } = await decideAbout(imports, decision, { subject, selections });
        const text = `${valuesOf(decided)} ${decided === 1 ? "is" : "are"} ${verb}ed.\nThis is import ${id}. To take it back: ${program} imports undo ${id}${storeOptions(settings)}\n`;
        return { json: { import: id, codes, decided }, text };
      });
    },
  });
}

function codeOf(code: string, search: CodeSearch): AssetCode {
  return assetOf(code, search, `CODE must be one of the catalog: received "${code}"`).code;
}

function spanText({ code, records, first, last }: PendingRecords["assets"][number]): string {
  return `${code} ${formatCount(records)}, from ${formatTime(first)} to ${formatTime(last)}`;
}

function pendingText(
  { assets, values }: PendingRecords,
  commandFor: (verb: string, code: AssetCode | "all") => string,
): string {
  const rows = values.map(({ code, businessTime, value, source, provider, qualityMessage }) => [
    code,
    formatTimestamp(businessTime),
    value,
    source,
    provider ?? "-",
    qualityMessage || "-",
  ]);
  if (assets.length === 0) return table(HEADING, rows, "No values wait for a decision.");
  const code = assets.length === 1 ? assets[0]!.code : "all";
  return `${table(HEADING, rows, "")}
${assets.map((asset) => `${spanText(asset)}\n`).join("")}To decide: ${commandFor("accept", code)}, or ${commandFor("reject", code)}\n`;
}

function pendingJson({ assets, values }: PendingRecords): object {
  return {
    pending: assets.reduce((sum, { records }) => sum + records, 0),
    assets: assets.map(({ first, last, ...asset }) => ({
      ...asset,
      first: timestampOrNull(first),
      last: timestampOrNull(last),
    })),
    values: values.map(({ code, businessTime, value, source, provider, qualityMessage, insertTime }) => {
      return {
        code,
        businessTime: formatTimestamp(businessTime),
        value,
        source,
        provider,
        qualityMessage,
        insertTime: formatTimestamp(insertTime),
      };
    }),
  };
}
