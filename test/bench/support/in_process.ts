import { createMemoryStore } from "../../../adapters/memory_store.ts";
import type { MemoryStore } from "../../../adapters/memory_store.ts";
import { nodeSha256 } from "../../../adapters/node/digest.ts";
import { randomBytes } from "../../../adapters/system.ts";
import { issueKey } from "../../../core/mod.ts";
import type { AccountId, ApiRequest, ApiResponse, MaybePromise, UtcMillis } from "../../../core/mod.ts";
import type { RequestFields } from "../../../core/http/messages.ts";
import { ok } from "../../../core/result.ts";

/** A memory store with a key of an account that has more units than any benchmark uses. */
export interface KeyedStore {
  readonly store: MemoryStore;
  readonly key: string;
  /** The plan's units. */
  readonly units: number;
}

const UNITS = 1_000_000_000_000;

/** Makes an empty memory store with a key. */
export async function createKeyedStore(now: UtcMillis): Promise<KeyedStore> {
  const store = createMemoryStore();
  const accountId = "bench" as AccountId;
  const { key, entry } = await issueKey({ randomBytes, sha256: nodeSha256 }, { accountId, createdAt: now });
  store.accounts.update([
    { op: "plan.patch", name: "MANY", dailyUnits: UNITS, attributionRequired: false },
    { op: "key.create", entry, plan: "MANY" },
  ]);
  return { store, key, units: UNITS };
}

/**
 * A GET whose target and key are new strings each time, as a runtime reads them from a socket. A string that was
 * looked up before has its hash cached.
 */
export interface RequestMaker {
  readonly status: number;
  make(): ApiRequest;
}

/** Prepares a maker of requests. */
export function requestMaker(target: string, key: string | undefined, status = 200): RequestMaker {
  const targetBytes = Buffer.from(target, "latin1");
  const keyBytes = key === undefined ? undefined : Buffer.from(key, "latin1");
  return { status, make: () => new FreshRequest(targetBytes.toString("latin1"), keyBytes?.toString("latin1")) };
}

/** The text of an answer. */
export function textOf({ body }: Pick<ApiResponse, "body">): string {
  return typeof body === "string" ? body : Buffer.from(body).toString();
}

/** Whether an answer is a promise. */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown }).then === "function";
}

class FreshRequest implements ApiRequest, RequestFields {
  readonly method = "GET";
  readonly scheme = "http";
  readonly target: string;
  readonly key: string | undefined;

  constructor(target: string, key: string | undefined) {
    this.target = target;
    this.key = key;
  }

  get headers(): RequestFields {
    return this;
  }

  get(name: string): string | undefined {
    return name === "x-api-key" ? this.key : undefined;
  }

  async text() {
    return ok("");
  }
}
