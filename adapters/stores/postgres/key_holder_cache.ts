import type { Accounts, KeyHolder, KeyId } from "../../../core/mod.ts";
import type { Follower } from "./follow_changes.ts";

/** How many keys are kept. Each key takes about a kilobyte. If there are more, all are dropped. */
const MAX_HOLDERS = 50_000;

/** Keeps found keys while the follower's data is up to date. Unknown keys are not kept: anyone can make them up. */
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
    // If anything has changed meanwhile, the answer may be older than the change.
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
