import assert from "node:assert/strict";
import { nodeSha256 } from "../../adapters/http/node/sha256.ts";
import { randomBytes, requestIds } from "../../adapters/http/web_system.ts";
import { createMemoryStore, type MemoryStore } from "../../adapters/stores/memory_store.ts";
import { valueOf } from "../../core/http/headers.ts";
import type { ApiRequest, ApiResponse, RequestFields } from "../../core/http/messages.ts";
import {
  type AccountId,
  type AccountStatus,
  type Api,
  type ApiOptions,
  createApi,
  createIngestUnknown,
  type ErrorCode,
  issueKey,
  type RawRecord,
  type Settings,
  type UtcMillis,
} from "../../core/mod.ts";
import { err, ok } from "../../core/result.ts";
import { answerCheck } from "./openapi_checks.ts";

/** An answer with its parsed JSON body. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: Json;
}

/** Any JSON value, typed so that tests can read its members without casts. */
export interface Json {
  readonly [name: string]: Json;
}

/** The parts of a request. By default, it is a GET with the world's key. */
export interface Ask {
  readonly method?: string;
  /** Header fields to send in addition to the key: a flat list of names and values. */
  readonly headers?: readonly string[];
  /** The key to send; `null` for none. Default: the world's key. */
  readonly key?: string | null;
  readonly body?: string;
}

/** An API on an in-memory store, with a clock that the test sets. */
export interface World {
  readonly api: Api;
  readonly store: MemoryStore;
  /** A key of an account with 1,000,000 units a day, more than most tests use. */
  readonly key: string;
  /** Sets the clock. */
  setNow(iso: string): void;
  now(): UtcMillis;
  /** Sends a request; returns the answer. Throws if the answer contradicts the OpenAPI document for these settings. */
  ask(target: string, ask?: Ask): Promise<Reply>;
  /** Stores records; throws when one is refused. */
  feed(
    ...records: readonly (RawRecord | readonly [code: string, value: number, businessTime: string])[]
  ): Promise<void>;
  /** Makes an account with its own key. */
  account(options: {
    units?: number | null;
    status?: AccountStatus;
    attributionRequired?: boolean;
    expiresAt?: string;
  }): Promise<{ id: AccountId; key: string }>;
  /** The unexpected errors that were reported. */
  readonly errors: unknown[];
}

/** Makes a world. `overrides` replace ports or settings. */
export async function createWorld(
  overrides: Settings & Partial<ApiOptions> = {},
  startAt = "2026-11-21T10:00:00Z",
): Promise<World> {
  const store = createMemoryStore();
  const errors: unknown[] = [];
  let current = Date.parse(startAt) as UtcMillis;
  const now = (): UtcMillis => current;
  const api = createApi({
    clock: now,
    requestIds,
    sha256: nodeSha256,
    ...store,
    onError: (error) => errors.push(error),
    ...overrides,
  });
  const ingest = createIngestUnknown({
    clock: now,
    observations: store.observations,
    ...(overrides.assets && { assets: overrides.assets }),
  });
  const check = answerCheck(overrides);
  let accounts = 0;

  const account: World["account"] = async (options) => {
    const { units = 50, status = "ACTIVE", attributionRequired = true, expiresAt = null } = options;
    const id = `account-${++accounts}` as AccountId;
    const { key, entry } = await issueKey(
      { randomBytes, sha256: nodeSha256 },
      { accountId: id, createdAt: current, expiresAt },
    );
    const plan = units === 50 && attributionRequired ? "FREE_STARTER" : `PLAN_${accounts}`;
    store.accounts.update([
      { op: "plan.patch", name: plan, dailyUnits: units, attributionRequired },
      { op: "key.create", entry, plan },
      { op: "account.patch", id, status },
    ]);
    return { id, key };
  };

  const main = await account({ units: 1_000_000 });

  return {
    api,
    store,
    key: main.key,
    errors,
    now,
    account,
    setNow(iso) {
      current = Date.parse(iso) as UtcMillis;
    },
    async ask(target, ask = {}) {
      const reply = replyOf(await api(requestOf(target, { key: main.key, ...ask })));
      check({ method: ask.method ?? "GET", target, ...reply });
      return reply;
    },
    async feed(...records) {
      const raw = records.map((record): RawRecord => {
        if (!isTuple(record)) return record;
        const [code, value, businessTime] = record;
        return { code, value, businessTime };
      });
      assert.deepEqual((await ingest(raw)).refused, []);
    },
  };
}

/** Makes a world with one record: USD_RLS at 1,050,000 on 2026-11-21 at 09:00 UTC. Its clock shows 10:00. */
export async function createFedWorld(overrides: Parameters<typeof createWorld>[0] = {}): Promise<World> {
  const world = await createWorld(overrides);
  await world.feed(["USD_RLS", 1_050_000, "2026-11-21T09:00:00Z"]);
  return world;
}

/** A request as adapters pass it to the core. Default: a plain GET without a key. */
export function requestOf(
  target: string,
  { method = "GET", headers = [], key = null, body = "" }: Ask = {},
): ApiRequest {
  return {
    method,
    target,
    headers: fields([...(key === null ? [] : ["X-API-Key", key]), ...headers]),
    scheme: "http",
    text: async (limit) => (Buffer.byteLength(body) > limit ? err("TOO_LARGE") : ok(body)),
  };
}

/** Header fields for a request, from a flat list of names and values. */
export function fields(list: readonly string[]): RequestFields {
  return { get: (name) => valueOf(list, name) };
}

/** An answer with its fields by name and its parsed JSON body. The body of a font has no text. */
export function replyOf(response: ApiResponse): Reply {
  const { status, body } = response;
  const headers = fieldsOf(response.headers);
  const text = headers["Content-Type"] === "font/woff2" ? "" : textOf(body);
  const isJson = headers["Content-Type"]?.startsWith("application/json") && text !== "";
  return { status, headers, text, json: (isJson ? JSON.parse(text) : null) as Json };
}

/** The text of an answer's body. */
export function textOf(body: string | Uint8Array): string {
  return typeof body === "string" ? body : new TextDecoder("utf-8", { fatal: true }).decode(body);
}

/** The fields of an answer by name; throws when one appears twice. */
function fieldsOf(list: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  const names = new Set<string>();
  for (let i = 0; i < list.length; i += 2) {
    const [name = "", value] = [list[i], list[i + 1]];
    assert.ok(typeof value === "string", `a field needs a value: ${name}`);
    assert.ok(!names.has(name.toLowerCase()), `a field appears twice: ${name}`);
    names.add(name.toLowerCase());
    fields[name] = value;
  }
  return fields;
}

/** A JSON object's members. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns the JSON value as an object; throws when it is something else. */
export function objectOf(value: unknown): Members {
  assert.ok(typeof value === "object" && value && !Array.isArray(value), `not an object: ${JSON.stringify(value)}`);
  return value as Members;
}

/** Returns the JSON value as an array of objects; throws when it is something else. */
export function listOf(value: unknown): readonly Members[] {
  assert.ok(Array.isArray(value), `not an array: ${JSON.stringify(value)}`);
  return value.map(objectOf);
}

/** Checks that an answer is the error body with this status and code; returns its message. */
export function assertFailure(reply: Reply, status: number, code: ErrorCode): string {
  const body = objectOf(reply.json);
  assert.deepEqual([reply.status, body["status"], body["code"]], [status, status, code], reply.text);
  return String(body["message"]);
}

function isTuple(record: RawRecord | readonly [string, number, string]): record is readonly [string, number, string] {
  return Array.isArray(record);
}
