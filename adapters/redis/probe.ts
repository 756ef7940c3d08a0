import { createSend, isForbidden } from "./client.ts";
import type { RedisClient, Send } from "./client.ts";
import { readLedgerId } from "./init.ts";
import { ledgerKeys } from "./keys.ts";
import type { LedgerKeys } from "./keys.ts";
import { createScript } from "./script.ts";
import { PROBE } from "./scripts.ts";
import { findUnsafeSettings } from "./server_settings.ts";

/** What a user of Redis must be allowed, in the words of `ACL SETUSER`. */
export const NEEDED_RIGHTS = "+evalsha +eval +hget +hmget +hset +hkeys +hdel +hexists +hscan +exists +ttl +expireat +time ~mazaneh:{quota}:*";

/** Makes the function that finds out whether units could be counted now. It resolves to what PROBE answers, and throws as `Send` does. */
export function createProbe(send: Send, names: LedgerKeys): () => Promise<unknown> {
  const run = createScript(send, PROBE);
  return () => run([names.ledger, names.probe], []);
}

/**
 * Throws `Unavailable` where this user of Redis lacks a right that counting needs. Other troubles pass by themselves, such as
 * full memory or a failover, so they are left to the watcher.
 */
export async function demandRights(probed: Promise<unknown>): Promise<void> {
  try {
    await probed;
  } catch (error) {
    if (isForbidden(error)) throw error;
  }
}

/**
 * Throws `Unavailable` or `StoreError` where a ledger could not be made and used just now; for a set-up step that changes
 * other things besides. Resolves to the id of the ledger that is there; `undefined` for none.
 */
export async function demandWritable(client: RedisClient, timeoutMs = 2_000): Promise<string | undefined> {
  const send = createSend(client, timeoutMs);
  await findUnsafeSettings(send);
  await createProbe(send, ledgerKeys("mazaneh"))();
  return readLedgerId(client, { timeoutMs });
}
