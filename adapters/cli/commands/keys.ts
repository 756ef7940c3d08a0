import { DAY_MS, dateOfDayNumber, formatTimestamp, parseKey } from "../../../core/internal.ts";
import type { AccountBook, AccountChange, CalendarDate, KeyEntry, KeyId, Plan, UtcMillis } from "../../../core/mod.ts";
import { FREE_STARTER, issueKey } from "../../../core/mod.ts";
import { nodeSystem } from "../../http/node/mod.ts";
import type { StoreReader } from "../../stores/shared/engine.ts";
import { demandNoKey, keyJson, keyState, planInWords, planOf, readUnits, rightsInWords } from "../account_text.ts";
import { type CliContext, defineCommand, INIT_OPTION } from "../command.ts";
import { messageOf, wrongUsage } from "../command_failure.ts";
import { readExpiry, readOverlap, readScope } from "../key_options.ts";
import { demandOperands, textOption } from "../parse_arguments.ts";
import { formatTime, table } from "../text_table.ts";

/** How many days are searched for the last use of keys. A search of all stored days would be slow. */
const LAST_USE_DAYS = 35;

const KEEP_IT = "Keep the key now: it cannot be shown again.";

/** `keys create`: makes an API key, and the account if it does not exist. */
export const keysCreate = defineCommand({
  details: `Makes the account if it does not exist. The key is printed only this once: only its digest
is stored, so it cannot be shown again. A running server accepts it at once.

A key reads prices. With --may write, it can only push prices to a server with --ingest;
--may read,write allows both.

With --units, a new account gets a plan of that many units, such as UNLIMITED or UNITS_1000, which is
made if it does not exist.`,
  options: {
    plan: textOption("NAME", `Plan of a new account [default ${FREE_STARTER.name}]`),
    units: textOption("COUNT", "Units a day of a new account, from 1, or unlimited; instead of --plan"),
    note: textOption("TEXT", "What the key is for; shown by mazaneh keys list"),
    may: textOption("RIGHTS", "read, write, or read,write [default read]"),
    codes: textOption("CODES", "The assets that the key may write: codes with commas between them [default all]"),
    expires: textOption("WHEN", "When the key expires: 30d, 12h, or a time such as 2027-01-31T12:00:00Z"),
    ...INIT_OPTION,
  },
  async run(context, { options, operands, settings, withAccounts }) {
    const { ACCOUNT } = demandOperands(operands, "ACCOUNT");
    const { units, note = "", expires } = options;
    if (units !== undefined && options.plan !== undefined)
      throw wrongUsage("--plan and --units each choose a plan: give only one of them");
    const dailyUnits = units === undefined ? undefined : readUnits("--units", units);
    const plan =
      dailyUnits === undefined ? options.plan : `${dailyUnits === null ? "UNLIMITED" : `UNITS_${dailyUnits}`}`;
    demandNoKey("ACCOUNT", ACCOUNT);
    demandNoKey("--note", note);
    const scope = readScope(options, settings.assets);
    const createdAt = context.clock();
    const expiresAt = expires === undefined ? null : readExpiry(expires, createdAt);
    const { key, entry, book } = await withAccounts(async (accounts) => {
      const issued = await issueKey(nodeSystem, { accountId: ACCOUNT, createdAt, expiresAt, note, ...scope });
      const itsPlan = plan === undefined ? {} : { plan };
      const added = dailyUnits === undefined ? [] : newPlan(await accounts.book(), { name: plan!, dailyUnits });
      // One update makes both changes: if the key is refused, no new plan is left behind.
      const book = await accounts.update([...added, { op: "key.create", entry: issued.entry, ...itsPlan }]);
      return { ...issued, book };
    });
    const rights = entry.may === undefined ? "" : `may ${rightsInWords(entry)}, `;
    const until = expiresAt === null ? "it does not expire" : `until ${formatTimestamp(expiresAt)}`;
    const itsPlan = planOf(book, entry.accountId);
    const isDefault =
      entry.may !== "write" && plan === undefined && itsPlan.name === FREE_STARTER.name && itsPlan.dailyUnits !== null;
    const hint = isDefault
      ? `Accounts have ${itsPlan.dailyUnits} units a day by default; for another number, use --units: keys create NAME --units unlimited\n`
      : "";
    return {
      json: { key, ...keyJson(entry, createdAt), plan: itsPlan.name },
      text: `Key ${entry.id} of account ${ACCOUNT}, ${planInWords(itsPlan)}, ${rights}${until}:\n\n  ${key}\n\n${KEEP_IT} Send it as X-API-Key.\n${hint}`,
      shownKey: key,
    };
  },
});

/** `keys list`: lists all keys, without their secrets. */
export const keysList = defineCommand({
  details: `The column "last used" shows the last quota day on which a request with the key asked for a unit,
within the last ${LAST_USE_DAYS} days; requests that cost nothing do not count. The latest use may be missing.`,
  async run(context, { withReader }) {
    const now = context.clock();
    const { keys, lastUse } = await withReader(async (reader) => {
      const { keys } = await reader.book();
      return { keys, lastUse: await readLastUse(reader, keys, context) };
    });
    const rows = keys.map((key) => [
      ...[key.id, key.accountId, keyState(key, now), rightsInWords(key), lastUse.get(key.id) ?? "-"],
      ...[formatTime(key.createdAt), formatTime(key.expiresAt), formatTime(key.revokedAt), key.note],
    ]);
    const heading = ["id", "account", "state", "may", "last used", "created", "expires", "revoked", "note"];
    return {
      json: { keys: keys.map((key) => ({ ...keyJson(key, now), lastUsedOn: lastUse.get(key.id) ?? null })) },
      text: table(heading, rows, "There are no keys."),
    };
  },
});

/** `keys roll`: replaces a key with a new one. */
export const keysRoll = defineCommand({
  details: `Makes a new key for the account of a live one. During the overlap both keys work and use the same
units; after it the old key is refused, also by a running server. An overlap of 0h ends the old key
at once: use it for a key that has leaked. The new key has the rights, the note and the expiry of the
old one. The new key is printed only this once.`,
  options: {
    overlap: textOption("TIME", "How long the old key still works: 0h to 7d [default 24h]"),
  },
  async run(context, { options, operands, withAccounts }) {
    const { ID } = demandOperands(operands, "ID");
    const overlap = readOverlap(options.overlap ?? "24h");
    const now = context.clock();
    const { key, entry, old } = await withAccounts(async (accounts) => {
      const current = findKey(await accounts.book(), ID);
      const { id, accountId, expiresAt, note, may, codes } = current;
      const state = keyState(current, now);
      if (state !== "live") throw wrongUsage(`Key ${id} is ${state}; keys create makes another`);
      const scope = { ...(may && { may }), ...(codes && { codes }) };
      const issued = await issueKey(nodeSystem, { accountId, createdAt: now, expiresAt, note, ...scope });
      // One update makes both changes: if the command is interrupted, the store has either both of them or none.
      const at = (now + overlap) as UtcMillis;
      const book = await accounts.update([
        { op: "key.create", entry: issued.entry },
        { op: "key.expire", id, at },
      ]);
      return { ...issued, old: findKey(book, id) };
    });
    const end = keyState(old, now) === "live" ? old.expiresAt : null;
    const until = end === null ? "is refused from now on" : `works until ${formatTimestamp(end)}`;
    return {
      json: { key, ...keyJson(entry, now), replaces: keyJson(old, now) },
      text: `Key ${entry.id} of account ${entry.accountId} replaces ${old.id}, which ${until}:\n\n  ${key}\n\n${KEEP_IT}\n`,
      shownKey: key,
    };
  },
});

/** `keys revoke`: revokes a key for ever. */
export const keysRevoke = defineCommand({
  details: `ID is the eight characters after mz_live_, as mazaneh keys list shows them, or the whole key. The key
is refused from the next request on, also by a running server, and cannot be restored.`,
  async run(context, { operands, withAccounts }) {
    const { ID } = demandOperands(operands, "ID");
    const now = context.clock();
    const entry = await withAccounts(async (accounts) => {
      const { id } = findKey(await accounts.book(), ID);
      return findKey(await accounts.update([{ op: "key.revoke", id, at: now }]), id);
    });
    return { json: keyJson(entry, now), text: `Key ${entry.id} of account ${entry.accountId} is revoked.\n` };
  },
});

/** The change that adds a plan, if the plan does not exist. Throws a usage failure if it exists with other units. */
function newPlan({ plans }: AccountBook, { name, dailyUnits }: Pick<Plan, "name" | "dailyUnits">): AccountChange[] {
  const existing = plans.find((plan) => plan.name === name);
  if (existing && existing.dailyUnits !== dailyUnits)
    throw wrongUsage(`There is already a ${planInWords(existing)}: choose a plan with --plan instead of --units`);
  if (existing) return [];
  // A new plan has the same rule of attribution as the default plan.
  const attributionRequired = plans.find((plan) => plan.name === FREE_STARTER.name)?.attributionRequired ?? true;
  return [{ op: "plan.patch", name, dailyUnits, attributionRequired }];
}

/** The last quota day on which each key was used. Searches from the newest day back until all keys are found. */
async function readLastUse(
  { usage }: Pick<StoreReader, "usage">,
  keys: readonly KeyEntry[],
  { terminal, clock }: Pick<CliContext, "terminal" | "clock">,
): Promise<ReadonlyMap<KeyId, CalendarDate>> {
  const sought = new Set(keys.map(({ id }) => id));
  const found = new Map<KeyId, CalendarDate>();
  if (sought.size === 0) return found;
  const from = dateOfDayNumber(Math.floor(clock() / DAY_MS) - LAST_USE_DAYS);
  try {
    for await (const { day, accounts } of usage({ from, asRecorded: true })) {
      for (const key of accounts.flatMap((usage) => usage.keys)) if (sought.delete(key)) found.set(key, day);
      if (sought.size === 0) break;
    }
  } catch (error) {
    // The keys are listed even if their last use cannot be read.
    terminal.note(`The last use of ${sought.size} keys could not be read: ${messageOf(error)}`);
  }
  return found;
}

/** Finds a key by its ID or by the whole key, because a leaked key may be known only as a whole. */
function findKey({ keys }: AccountBook, text: string): KeyEntry {
  const wanted: string = parseKey(text) ?? text;
  const entry = keys.find(({ id }) => id === wanted);
  // The message does not quote the text, which may be a key with a typing error.
  if (!entry) throw wrongUsage("There is no key with this ID; mazaneh keys list shows all keys");
  return entry;
}
