import { Agent } from "node:http";
import { nodeSha256 } from "../../adapters/http/node/sha256.ts";
import { randomBytes, systemClock } from "../../adapters/http/web_system.ts";
import { connectToStore, readJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import type { Import } from "../../adapters/stores/shared/imports.ts";
import type { KeyEntry } from "../../core/accounts/accounts.ts";
import { issueKey } from "../../core/accounts/create_key.ts";
import type { AccountId, AssetCode, UtcMillis } from "../../core/branded_types.ts";
import type { Observation } from "../../core/market/observation.ts";
import { createPriceModel } from "../support/price_model.ts";
import type { Random } from "../support/seeded_random.ts";
import { ask } from "./ask.ts";
import type { Ledger } from "./kill_ledger.ts";
import { type Act, carryOut, contentOf, contentOfModel, differenceOf, nextAct, ask as send } from "./price_acts.ts";

/** The daily units of each account. */
export const LIMITS = [100, 700, 3_000, 1_000_000];

/** The state that all clients of a trial share. */
type Shared = { readonly ledger: Ledger; readonly random: Random };

/** A new key for an account, not yet in the account book. */
export function newKey(accountId: AccountId): Promise<{ key: string; entry: KeyEntry }> {
  return issueKey({ randomBytes, sha256: nodeSha256 }, { accountId, createdAt: systemClock() });
}

/** Sends batches, one after the other, until the server is gone. */
export async function feed(directory: string, codes: readonly AssetCode[], { ledger, random }: Shared): Promise<void> {
  const access = await connectToStore(directory);
  if (!access) return;
  try {
    for (;;) {
      if (random.chance(0.2)) await access.compact?.();
      const batch = ledger.send(nextBatch(codes, ledger, random));
      const { accepted, replaced, unchanged } = await access.append(batch.observations);
      if (accepted + replaced + unchanged !== batch.observations.length)
        ledger.violations.push(`${accepted} + ${replaced} + ${unchanged} of ${batch.observations.length} accepted`);
      ledger.acknowledge(batch);
    }
  } catch {
    // The server is gone.
  } finally {
    await access.close?.();
  }
}

/** Makes the same changes, one by one, in a server and in a model. No other client changes these prices and imports. */
export function createChanger(directory: string, codes: readonly AssetCode[], { ledger, random }: Shared) {
  let now = systemClock();
  const model = createPriceModel(() => now);
  /** The change that the server has not answered. */
  let unanswered: Act | undefined;
  let changes = 0;

  /** Finds out whether the unanswered change was carried out. Nobody changes anything meanwhile. */
  async function settle(): Promise<void> {
    const { state } = await readJsonFiles(directory);
    const records = codes.flatMap((code) => [...state.records(undefined, code)]);
    const content = contentOf(records, state.imports());
    // The server sets the time of an import, so the model takes over the time of the last import.
    now = [...state.imports()].at(-1)?.time ?? now;
    const possible: Act[] = unanswered ? [unanswered] : [];
    if (unanswered?.type === "undo") possible.unshift({ type: "startUndo", id: unanswered.id });
    unanswered = undefined;
    for (const act of possible) {
      if (contentOfModel(model) === content) return;
      carryOut(model, act);
    }
    const expected = contentOfModel(model);
    if (content !== expected) ledger.violations.push(`after ${changes} changes: ${differenceOf(content, expected)}`);
  }

  return {
    settle,
    changes: () => changes,
    /** Makes changes until the server is gone. */
    async change(): Promise<void> {
      const access = await connectToStore(directory);
      if (!access) return;
      try {
        await settle();
        for (;;) {
          const act = nextAct(model, random, { codes, isAlone: true });
          unanswered = act;
          const answer = await send({ observations: access, imports: access.imports }, act);
          if (act.type === "begin") now = (answer as Import).time;
          unanswered = undefined;
          carryOut(model, act);
          changes++;
        }
      } catch (error) {
        // The server is gone.
        if (error instanceof RangeError) ledger.violations.push(`refuses to ${unanswered?.type}: ${error.message}`);
      } finally {
        await access.close?.();
      }
    },
  };
}

function nextBatch(codes: readonly AssetCode[], ledger: Ledger, random: Random): readonly Observation[] {
  return Array.from({ length: 1 + random.below(30) }, () => {
    const code = random.pick(codes);
    const minute = random.chance(0.1) ? random.below(ledger.minutes(code) + 1) : ledger.newMinute(code);
    const businessTime = (Date.parse("2026-01-01T00:00:00Z") + minute * 60_000) as UtcMillis;
    const plain = { sourceTime: null, provider: null, qualityStatus: "ACCEPTED", qualityMessage: "" } as const;
    return { code, businessTime, value: ledger.newValue(), insertTime: systemClock(), ...plain };
  });
}

/** Requests values on one connection, one after the other, until the server is gone. */
export async function askOn(url: string, key: string, account: number, { ledger, random }: Shared): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  try {
    for (;;) {
      const path = random.chance(0.1) ? "/api/v1/assets/NO_SUCH" : "/api/v1/assets?codes=USD_RLS";
      const { status, resetAt } = await ask(agent, url + path, { key });
      if (status === "closed") break; // The server is gone.
      ledger.answer(account, Number(status), resetAt);
    }
  } finally {
    agent.destroy();
  }
}
