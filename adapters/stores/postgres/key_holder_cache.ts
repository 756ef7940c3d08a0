import type { Accounts, KeyHolder, KeyId } from "../../../core/mod.ts";
import type { Follower } from "./follow_changes.ts";

/** More keys than this are asked for anew: they take about a kilobyte each. */
const MAX_HOLDERS = 50_000;

/**
 * Keeps keys that were found in memory until an account changes anywhere. It answers from memory only while the follower
 * vouches for it, and asks otherwise. That there is no key is not kept: anybody can make up as many as he likes.
 */
export function rememberHolders(
  find: (id: KeyId) => Promise<KeyHolder | undefined>,
  follower: Pick<Follower, "isCurrent" | "accountsState">,
): Accounts["find"] {
  let state: unknown;
  const holders = new Map<KeyId, KeyHolder>();

  async function ask(id: KeyId): Promise<KeyHolder | undefined> {
    const begun = follower.accountsState();
    const holder = await find(id);
    if (holders.size >= MAX_HOLDERS) holders.clear();
    // After a change meanwhile, this may be what was there before it.
    if (holder && follower.accountsState() === begun && begun === state) holders.set(id, holder);
    return holder;
  }

  return (id) => {
    const current = follower.accountsState();
    if (state !== current) holders.clear();
    state = current;
    return (follower.isCurrent() && holders.get(id)) || ask(id);
  };
}
