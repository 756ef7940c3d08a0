import type { Accounts, KeyHolder, KeyId } from "../../../core/mod.ts";
import type { Follower } from "./follow_changes.ts";

/** How many keys are kept, at about a kilobyte each. When this number is reached, all kept keys are dropped. */
const MAX_HOLDERS = 50_000;

/** Keeps known keys while the follower's data is current. Unknown keys are not kept, because anyone can invent them. */
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
    // If an account or key has changed meanwhile, the answer may be older than this change.
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
