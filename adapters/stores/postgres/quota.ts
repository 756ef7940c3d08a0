import { type CalendarDate, type KeyId, Unavailable } from "../../../core/mod.ts";
import { ANSWER_MS } from "../shared/answer_in_time.ts";
import { createSender, type Receipt, type Settlement, shareGiveBacks } from "../shared/quota_receipts.ts";
import { type GroupTaken, type SendTakes, shareTakes, type TakeGroup } from "../shared/share_quota_takes.ts";
import { isAskedFor, type StoredQuota } from "../shared/store.ts";
import { codeOf } from "../shared/store_error.ts";
import type { Connection } from "./connection.ts";
import { fromJson, toStored } from "./escape_text.ts";
import { NO_LIMIT, QUOTA } from "./quota_statements.ts";
import { firstOf } from "./schema.ts";

/** Whether a statement has waited too long for a lock, so that nothing was carried out. */
const isLocked = (error: unknown): boolean => error instanceof Unavailable && codeOf(error.cause) === "55P03";

/** Counts units in the database, exactly across instances. Calls that arrive during a commit share a statement. */
export function postgresQuota({ query }: Pick<Connection, "query">): StoredQuota & { close(): void } {
  const closing = new AbortController();
  const closed = closing.signal;
  let lastDay: CalendarDate | undefined;
  /** The keys that this store has noted for the last day. Noting a key takes an eighth of a statement's time. */
  let noted = new Set<KeyId>();

  async function take(groups: readonly TakeGroup[], { sender, number }: Receipt): Promise<readonly GroupTaken[]> {
    const { day } = groups[0]!;
    const keys = groups.flatMap((group) => [...group.keys]);
    const isNoted = day === lastDay && keys.every((key) => noted.has(key));
    const taken = await query<GroupTaken>(isNoted ? QUOTA.take : QUOTA.takeWithKeys, [askedOf(groups), sender, number]);
    // The ledger was moved to Redis while this store was open. Counting here as well would grant each unit twice.
    if (taken.length === 0) {
      firstOf(await query("SELECT FROM mazaneh.meta", []), "meta");
      throw new Unavailable(
        "The units of this installation are now counted in Redis: restart this instance with --quota or MAZANEH_QUOTA",
      );
    }
    if (day !== lastDay) {
      [lastDay, noted] = [day, new Set()];
      // If this fails, another instance removes the expired days, or this instance removes them on the next day.
      query(QUOTA.dropOld, [day]).catch(() => {});
    }
    for (const key of keys) noted.add(key);
    return taken;
  }

  async function settle(lost: readonly TakeGroup[], { sender, number, of }: Settlement): Promise<void> {
    await query(QUOTA.begin, [sender, lost[0]!.day]);
    await query(QUOTA.settle, [askedOf(lost), sender, number, of]);
  }

  const reader: SendTakes = (groups) => query<GroupTaken>(QUOTA.used, [askedOf(groups)]);
  const read = shareTakes({ senders: [reader, reader], maxWaitMs: ANSWER_MS });
  const sender = (): SendTakes => createSender({ take, settle }, closed);
  return {
    // Two senders: while the database syncs the units taken by one, the other gathers further calls.
    take: shareTakes({ senders: [sender(), sender()], maxWaitMs: ANSWER_MS, isSentAlone: isLocked }),
    giveBack: shareGiveBacks((groups, { sender, number }) => query(QUOTA.giveBack, [askedOf(groups), sender, number]), {
      closed,
      isLocked,
    }),
    used: async (account, day) => (await read(account, day, 0)).used,
    async *usage(asked = {}) {
      const days = await query<{ day: CalendarDate }>(QUOTA.days, []);
      for (const { day } of days) {
        if (!isAskedFor(day, asked)) continue;
        const rows = await query<{ usage: string }>(QUOTA.usage, [day]);
        yield { day, accounts: rows.map(({ usage }) => fromJson(usage, ["withheld", "plan"])) };
      }
    },
    close: () => closing.abort(),
  };
}

/** Groups of takes, as the parameter of a statement. */
function askedOf(groups: readonly TakeGroup[]): string {
  const asked = groups.map(({ account, day, limit, count, keys }) => ({
    day,
    account: toStored(account),
    count,
    cap: Math.min(limit, NO_LIMIT),
    keys: [...keys].map(toStored),
  }));
  return JSON.stringify(asked);
}
