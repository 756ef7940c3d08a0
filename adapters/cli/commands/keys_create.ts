import { addKey, formatTimestamp, parseTimestamp } from "../../../core/internal.ts";
import { FREE_STARTER } from "../../../core/mod.ts";
import type { UtcMillis } from "../../../core/mod.ts";
import { nodeSystem } from "../../node/mod.ts";
import { demandOperands } from "../args.ts";
import { describePlan, findPlan, keyJson } from "../book.ts";
import { defineCommand } from "../command.ts";
import { changeBook, withDesk } from "../desk.ts";
import { EXIT, wrongUsage } from "../failure.ts";
import { settingOptions } from "../settings_sources.ts";

/** Lengths of the units in which commands take a time. */
export const UNITS_MS: Readonly<Record<string, number>> = { h: 3_600_000, d: 86_400_000 };
const DURATION = /^([1-9]\d{0,4})([hd])$/;

const DETAILS = `The account is made where there is none of that name. The key is printed this once: only its digest
is kept, so it cannot be shown again. A running server takes it at once.`;

/** `keys create`: makes an API key, and its account where that is new. */
export const keysCreate = defineCommand({
  name: "keys create",
  operands: "ACCOUNT",
  summary: "Make an API key, and its account where that is new",
  details: DETAILS,
  options: {
    plan: { kind: "text", placeholder: "NAME", summary: `Plan of a new account [default ${FREE_STARTER.name}]` },
    note: { kind: "text", placeholder: "TEXT", summary: "What the key is for, to be listed with it" },
    expires: { kind: "text", placeholder: "WHEN", summary: "When the key ends: 30d, 12h, or a time such as 2027-01-31T12:00:00Z" },
    ...settingOptions(["data"]),
  },
  async run(surroundings, { options, operands }) {
    const { ACCOUNT: account } = demandOperands(operands, "ACCOUNT");
    const { note = "", expires } = options;
    const createdAt = surroundings.clock();
    const expiresAt = expires === undefined ? null : readExpiry(expires, createdAt);
    const grant = { ...(options.plan !== undefined && { plan: options.plan }), expiresAt, note };
    const issuer = { ...nodeSystem, clock: () => createdAt };
    const { key, entry, book } = await withDesk(options, surroundings, "made", (desk) => {
      return addKey({ update: (changes) => changeBook(desk, changes) }, issuer, account, grant);
    });
    const plan = findPlan(book, entry.accountId);
    const until = expiresAt === null ? "without an end" : `until ${formatTimestamp(expiresAt)}`;
    await surroundings.terminal.write(
      options.json
        ? `${JSON.stringify({ key, ...keyJson(entry, createdAt), plan: plan.name })}\n`
        : `Key ${entry.id} of account ${account}, ${describePlan(plan)}, ${until}:\n\n  ${key}\n\n` +
            "Keep it now: it cannot be shown again. Send it as X-API-Key.\n",
    );
    return EXIT.done;
  },
});

function readExpiry(text: string, now: UtcMillis): UtcMillis {
  const [, count, unit] = DURATION.exec(text) ?? [];
  const at = count && unit ? now + Number(count) * UNITS_MS[unit]! : parseTimestamp(text)?.millis;
  if (at === undefined) throw wrongUsage(`--expires must be 30d, 12h, or a time such as 2027-01-31T12:00:00Z: received "${text}"`);
  if (at <= now) throw wrongUsage(`--expires must be in the future: received "${text}"`);
  return at as UtcMillis;
}
