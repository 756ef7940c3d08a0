import assert from "node:assert/strict";
import { test } from "node:test";
import { nodeSha256 } from "../../../adapters/http/node/sha256.ts";
import { randomBytes } from "../../../adapters/http/web_system.ts";
import { withAccount, withKey } from "../../../core/accounts/account_changes.ts";
import { createKeyVerifier } from "../../../core/accounts/key_verifier.ts";
import { type AccountId, EMPTY_BOOK, indexKeys, issueKey, type KeyEntry, type UtcMillis } from "../../../core/mod.ts";

const NOW = Date.parse("2026-11-21T10:00:00Z") as UtcMillis;
const at = (seconds: number): UtcMillis => (NOW + seconds * 1_000) as UtcMillis;

/** A verifier that knows one issued key, and counts how many digests it computes. */
async function counted(expiresAt: UtcMillis | null = null) {
  const accountId = "alice" as AccountId;
  const { key, entry } = await issueKey({ randomBytes, sha256: nodeSha256 }, { accountId, createdAt: NOW, expiresAt });
  const account = withAccount(EMPTY_BOOK, { id: accountId, plan: "FREE_STARTER", status: "ACTIVE" });
  let holders = indexKeys(withKey(account, entry));
  let digests = 0;
  const sha256 = (text: string): string => {
    digests++;
    return nodeSha256(text) as string;
  };
  const verify = createKeyVerifier({ accounts: { find: (id) => holders.get(id) }, sha256 });
  const passes = async (text: string, now: UtcMillis): Promise<boolean> => (await verify(text, now)).ok;
  const change = (members: Partial<KeyEntry>): void =>
    void (holders = indexKeys(withKey(account, { ...entry, ...members })));
  return { key, passes, change, digests: () => digests };
}

test("key verifier: a verified key is recognized by its text until the current minute ends, then its digest is compared again", async () => {
  const { key, passes, digests } = await counted();
  for (const [seconds, wanted] of [
    [0, 1],
    [1, 1],
    [59.999, 1],
    [60, 2],
    [119, 2],
    [120, 3],
    [20, 4],
  ] as const) {
    assert.equal(await passes(key, at(seconds)), true);
    assert.equal(digests(), wanted, `after ${seconds} s`);
  }
});

test("key verifier: any text other than the key fails, even if it has the key's id, or is another key with a correct checksum", async () => {
  const [alice, bob] = [await counted(), await counted()];
  const { key, passes, digests } = alice;
  assert.equal(await passes(key, NOW), true);
  for (let place = 0; place < key.length; place++) {
    const other = `${key.slice(0, place)}${key[place] === "x" ? "y" : "x"}${key.slice(place + 1)}`;
    assert.equal(await passes(other, NOW), false, `another character at ${place}`);
  }
  const others = [`${key}x`, key.slice(1), key.slice(0, -1), "", `${key} `, "\u0141".repeat(key.length)];
  for (const other of others) assert.equal(await passes(other, NOW), false, other);
  assert.equal(digests(), 1, "a digest is computed only for a correct checksum");
  assert.equal(await passes(bob.key, NOW), false);
  assert.equal(digests(), 2, "a digest is computed even for an unknown id");
});

test("key verifier: a key that is revoked, expires, or gets another digest is refused at once, even if verified before", async () => {
  for (const change of [{ revokedAt: at(1) }, { digest: "0".repeat(64) }, { id: "AAAAAAA1" as KeyEntry["id"] }]) {
    const verifier = await counted();
    assert.equal(await verifier.passes(verifier.key, at(0)), true);
    verifier.change(change);
    assert.equal(await verifier.passes(verifier.key, at(1)), false, Object.keys(change)[0]);
  }
  const expiring = await counted(at(30));
  for (const seconds of [0, 29, 30])
    assert.equal(await expiring.passes(expiring.key, at(seconds)), seconds < 30, `after ${seconds} s`);
});
