import type { Accounts, KeyHolder, KeyId } from "../../core/mod.ts";
import type { Follower } from "./follow.ts";

/** More keys than this are asked for anew: they take about a kilobyte each. */
const MAX_HOLDERS = 50_000;
/** Ids without a key. Anybody can make up as many as he likes. */
const MAX_UNKNOWN = 10_000;

/**
 * Keeps what was found in memory until an account changes anywhere. It answers from memory only while the follower
 * vouches for it, and asks otherwise.
 */
export function rememberHolders(
  find: (id: KeyId) => Promise<KeyHolder | undefined>,
  follower: Pick<Follower, "isCurrent" | "accountsState">,
): Accounts["find"] {
  let state: unknown;
  const holders = new Map<KeyId, KeyHolder>();
  const unknown = new Set<KeyId>();

  async function ask(id: KeyId): Promise<KeyHolder | undefined> {
    const begun = follower.accountsState();
    const holder = await find(id);
    // After a change meanwhile, this may be what was there before it.
    if (follower.accountsState() === begun && begun === state) remember(id, holder);
    return holder;
  }

  function remember(id: KeyId, holder: KeyHolder | undefined): void {
    if (holders.size >= MAX_HOLDERS) holders.clear();
    if (unknown.size >= MAX_UNKNOWN) unknown.clear();
    if (holder) holders.set(id, holder);
    else unknown.add(id);
  }

  return (id) => {
    const current = follower.accountsState();
    if (state !== current) {
      state = current;
      holders.clear();
      unknown.clear();
    }
    if (!follower.isCurrent()) return ask(id);
    return holders.get(id) ?? (unknown.has(id) ? undefined : ask(id));
  };
}
