import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseKey } from "../../core/internal.ts";
import { FREE_STARTER, issueKey } from "../../core/mod.ts";
import type { AccountBook, AccountChange, AccountId, Clock, KeyId } from "../../core/mod.ts";
import { nodeSystem } from "../node/mod.ts";
import type { StoredAccounts } from "../store/store.ts";
import { keyState } from "./account_text.ts";
import { replaceFile } from "./replace_file.ts";

/** The file of a sample's directory that holds the demo key. */
export const DEMO_KEY_FILE = "demo-key";

/** Whom the key of a first try belongs to. */
export const DEMO_ACCOUNT = "demo" as AccountId;

/** A key for a first try. */
export interface DemoKey {
  readonly id: KeyId;
  readonly accountId: AccountId;
  readonly key: string;
  /** The file that keeps it; `undefined` for a key that is shown only once. */
  readonly file: string | undefined;
}

/** A store of the sample. */
interface SampleHouse {
  readonly accounts: Pick<StoredAccounts, "book" | "update">;
  /** Present where it can only be read. */
  readonly readOnly?: unknown;
}

/** Enough for an afternoon of clicking. Nobody has to credit made-up prices. */
const SAMPLE_PLAN = { name: "SAMPLE", dailyUnits: 5_000, attributionRequired: false } as const;
const ONLY_OWNER = 0o600;

/**
 * The demo key of a store that holds nothing but the sample: the one that its directory keeps, or, where that is lost or
 * no longer works, a new one; `undefined` where the store is read-only. The page gives this key to everybody who opens it,
 * so a store with other prices must not have one: see `endDemoKey`. Throws where the file cannot be written.
 */
export async function keepDemoKey({ accounts, readOnly }: SampleHouse, directory: string, clock: Clock): Promise<DemoKey | undefined> {
  const file = join(directory, DEMO_KEY_FILE);
  const book = await accounts.book();
  const kept = await readKept(file);
  const entry = book.keys.find(({ id }) => id === kept?.id);
  if (kept && entry && keyState(entry, clock()) === "live" && entry.digest === (await nodeSystem.sha256(kept.key))) {
    return { id: kept.id, accountId: entry.accountId, key: kept.key, file };
  }
  if (readOnly !== undefined) return undefined;
  const made = await issueKey(nodeSystem, { accountId: DEMO_ACCOUNT, createdAt: clock(), note: `kept in ${DEMO_KEY_FILE}` });
  // The file first: a key that only the account has could never be shown.
  await replaceFile(file, [`${made.key}\n`], ONLY_OWNER);
  await accounts.update([...planChanges(book), { op: "key.create", entry: made.entry }, { op: "account.patch", id: DEMO_ACCOUNT, plan: planFor(book) }]);
  return { id: made.entry.id, accountId: DEMO_ACCOUNT, key: made.key, file };
}

/** Revokes the demo key that a directory keeps, and removes it, before the store gets prices that are not for everybody. */
export async function endDemoKey(accounts: SampleHouse["accounts"], directory: string, clock: Clock): Promise<void> {
  const file = join(directory, DEMO_KEY_FILE);
  const kept = await readKept(file);
  if (!kept) return;
  const { keys } = await accounts.book();
  if (keys.some(({ id }) => id === kept.id)) await accounts.update([{ op: "key.revoke", id: kept.id, at: clock() }]);
  await rm(file, { force: true });
}

async function readKept(file: string): Promise<ReturnType<typeof parseKey>> {
  const text = await readFile(file, "utf8").catch(() => "");
  return parseKey(text.trim());
}

/** The plan is made once, so that an operator may change it. */
function planChanges({ plans }: AccountBook): readonly AccountChange[] {
  return plans.some(({ name }) => name === SAMPLE_PLAN.name) ? [] : [{ op: "plan.patch", ...SAMPLE_PLAN }];
}

/** Earlier versions gave the account the plan of all new accounts; another one is the operator's choice. */
function planFor({ accounts }: AccountBook): string {
  const plan = accounts.find(({ id }) => id === DEMO_ACCOUNT)?.plan ?? FREE_STARTER.name;
  return plan === FREE_STARTER.name ? SAMPLE_PLAN.name : plan;
}
