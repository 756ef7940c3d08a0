import { checkRecord, createParallelLimit, indexAssets, isServed } from "../../../core/internal.ts";
import {
  ASSETS,
  type CustomAnswer,
  type CustomCall,
  type CustomRoute,
  defineRoute,
  type KeyHolder,
  QUALITY_STATUSES,
  type RouteDocs,
  type UtcMillis,
} from "../../../core/mod.ts";
import { type CheckedRecord, createPushStore, type IngestRouteSettings, type IngestStore } from "./push_store.ts";
import {
  MAX_RECORDS,
  nextTurn,
  type PushRecord,
  type RejectedPushRecord,
  readBody,
  TURN_RECORDS,
} from "./read_body.ts";

/** The route. Before you close the store, call `finish`, which ends the imports of all keys. */
export type IngestRoute = CustomRoute & { finish(): Promise<void> };

const MAX_LISTED_REFUSALS = 100;
const FULL = "Too many values of this key are pending: no more are stored until the operator decides about them";
/** How many requests of a key may be read or stored at a time, each with its body in memory. */
const MAX_AT_ONCE = 4;

/**
 * Creates the route `POST /ingest`, which stores records and answers once they are as durable as the store promises. It
 * costs no unit. A value beyond the daily bound of its asset becomes `PENDING`. If the store has imports, all records
 * that a key stores within an hour are one import.
 *
 * @throws TypeError for a store that has neither imports nor references; RangeError for a catalog with a code twice, or
 * an unknown time zone.
 */
export function ingestRoute(store: IngestStore, settings: IngestRouteSettings = {}): IngestRoute {
  const catalog = indexAssets(settings.assets ?? ASSETS);
  const { inTurn, push, finish } = createPushStore(store, settings);
  const inParallel = createParallelLimit(MAX_AT_ONCE);

  async function take({ request, caller, now }: CustomCall): Promise<CustomAnswer> {
    const read = await readBody(request);
    return "failure" in read ? read : inTurn(() => stored(read, caller!, now));
  }

  async function stored(read: readonly PushRecord[], by: KeyHolder, now: UtcMillis): Promise<CustomAnswer> {
    const { codes } = by.key;
    const refused: RejectedPushRecord[] = [];
    const records: CheckedRecord[] = [];
    for (const [i, one] of read.entries()) {
      if (i % TURN_RECORDS === TURN_RECORDS - 1) await nextTurn();
      if ("reason" in one) {
        refused.push(one);
        continue;
      }
      const { place, record } = one;
      const checked = checkRecord(record, catalog, now);
      if (!checked.ok) refused.push({ place, reason: checked.error });
      else if (codes && !codes.includes(checked.value.code))
        refused.push({ place, reason: `this key may not write ${checked.value.code}` });
      else records.push({ place, record, observation: checked.value });
    }
    const outcome = await push({ records, refused }, by, now);
    if (!outcome) return { failure: "RATE_LIMITED", message: FULL, retryAfterSeconds: 60 };
    const { refused: all, ...counts } = outcome;
    const { accepted, replaced, unchanged, pending } = counts;
    return {
      json: {
        stored: accepted + replaced + unchanged + pending,
        // The number of accepted values can reveal a price, so only a key that may also read gets this number.
        ...(isServed(by, { right: "read" }) && counts),
        refused: all.length,
        refusals: all.slice(0, MAX_LISTED_REFUSALS),
      },
    };
  }

  const route = defineRoute({
    method: "POST",
    path: "/ingest",
    auth: "key",
    charge: "free",
    right: "write",
    docs: DOCS,
    summary: "Stores records, for keys that may write",
    handle: (call) => inParallel<CustomAnswer>(call.caller!.key.id, () => take(call), { failure: "RATE_LIMITED" }),
  });
  return Object.assign(route, { finish });
}

const COUNT = { type: "integer", minimum: 0 };
const TEXT = { type: ["string", "null"] };
const EXAMPLE = { code: "USD_RLS", value: 1_905_000, businessTime: "2026-11-21T10:00:00Z" };
const DOCS: RouteDocs = {
  operationId: "ingest",
  description:
    "Each record is stored, or refused with a reason; the answer is 200 even if some are refused. Stored records are on the disk. Sending the same body again changes nothing. 429: too many requests of the key at a time, or too many of its values are pending.",
  body: {
    description:
      "`application/x-ndjson` has one record per line; the first line of `text/csv` has the names of the members. At most 1 MB and 10,000 records; may be sent with `Content-Encoding: gzip`.",
    schema: {
      type: "array",
      maxItems: MAX_RECORDS,
      items: {
        type: "object",
        properties: {
          code: { type: "string" },
          value: { type: ["number", "string"] },
          businessTime: { type: "string" },
          sourceTime: TEXT,
          provider: TEXT,
          qualityStatus: { enum: QUALITY_STATUSES },
          qualityMessage: { type: "string" },
        },
        required: ["code", "value", "businessTime"],
      },
    },
    example: [EXAMPLE],
  },
  answer: {
    description:
      "The number of stored records, and the refused ones. How many of the stored records are new, replace another value, were stored before, or are pending; only for a key that may also read",
    schema: {
      type: "object",
      properties: {
        stored: { ...COUNT, description: "Records on the disk: accepted, pending, or stored before" },
        accepted: COUNT,
        replaced: COUNT,
        unchanged: COUNT,
        pending: { ...COUNT, description: "Values that are not served until the operator accepts them" },
        refused: COUNT,
        refusals: {
          type: "array",
          maxItems: MAX_LISTED_REFUSALS,
          items: {
            type: "object",
            properties: {
              place: {
                ...COUNT,
                description: "The line or, in a JSON array, the number of the record; both count from 1",
              },
              reason: { type: "string" },
            },
            required: ["place", "reason"],
          },
        },
      },
      required: ["stored", "refused", "refusals"],
    },
    example: { stored: 1, refused: 0, refusals: [] },
  },
  failures: ["INVALID_BODY", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "RATE_LIMITED"],
};
