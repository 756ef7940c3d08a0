// The types of the API, its ports and its adapters, checked by the compiler.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import {
  type Address,
  createNodeServer,
  type NodeLoad,
  type NodeServer,
  nodeListener,
  nodeSystem,
} from "../../adapters/http/node/mod.ts";
import { webSystem } from "../../adapters/http/web_system.ts";
import type { JsonFileStore, openJsonFiles } from "../../adapters/stores/json_files/mod.ts";
import { createMemoryStore } from "../../adapters/stores/memory_store.ts";
import {
  type AccountId,
  type Api,
  type ApiKey,
  type ApiRequest,
  type ApiResponse,
  type CalendarDate,
  createApi,
  createIngest,
  createKey,
  createPrices,
  defineAsset,
  defineRoute,
  type ErrorCode,
  type ExchangeReport,
  type IngestOutcome,
  issueKey,
  type MaybePromise,
  type Observation,
  type Observations,
  type QuotaLedger,
  type Result,
  type UtcMillis,
  type Versioned,
} from "../../core/mod.ts";
import { is, same } from "./same.ts";

declare const account: AccountId;
declare const result: Result<number, ErrorCode>;

const store = createMemoryStore();
const api = createApi({ ...nodeSystem, ...store });
same<typeof api, Api>();
is<(request: ApiRequest) => MaybePromise<ApiResponse>>(api);
// @ts-expect-error Accounts, quota and observations are required.
createApi({ ...webSystem });
// @ts-expect-error There is no such rule.
createApi({ ...webSystem, ...store, chargeFailures: "never" });
// @ts-expect-error There is no such setting.
createApi({ ...webSystem, ...store, timeZone: "UTC" });

// The handler of a custom route receives typed parameters.
const own = defineRoute({
  method: "GET",
  path: "/api/v1/assets/{code}/own",
  auth: "key",
  charge: "success",
  query: ["days"],
  summary: "Change",
  handle({ params, query }) {
    is<string>(params.code);
    is<string | undefined>(query.days);
    // @ts-expect-error The path has no such parameter.
    void params.name;
    return { json: {} };
  },
});
void createApi({ ...webSystem, ...store, routes: [own] });
const plain = { method: "GET", path: "/a", auth: "none", charge: "free", summary: "" } as const;
// @ts-expect-error Only defineRoute makes a route, because it checks the definition.
createApi({ ...webSystem, ...store, routes: [{ ...plain, query: [], handle: () => ({ json: 1 }) }] });
// @ts-expect-error There is no such failure.
defineRoute({ ...plain, handle: () => ({ failure: "NOPE" }) });

// Each adapter accepts the API and returns the type that its host needs.
is<(req: IncomingMessage, res: ServerResponse) => void>(nodeListener(api));
same<ReturnType<typeof fetchHandler>, (request: Request) => Response | Promise<Response>>();
const server = createNodeServer(api, { onExchange: ({ report }) => is<ExchangeReport | undefined>(report) });
same<typeof server, NodeServer>();
same<ReturnType<typeof server.load>, NodeLoad>();
same<ReturnType<typeof server.listen>, Promise<Address>>();
// @ts-expect-error A rate is not a text, but an object of createRequestRate, because it counts requests.
createApi({ ...nodeSystem, ...store, keyRate: "10/s" });
is<(files: JsonFileStore) => Api>((files) => createApi({ ...nodeSystem, ...files }));
// @ts-expect-error An adapter takes an API, not its ports.
nodeListener({ ...nodeSystem, ...store });

const ingest = createIngest({ ...nodeSystem, ...store });
same<ReturnType<typeof ingest>, Promise<IngestOutcome>>();
// @ts-expect-error There is no such column.
void ingest([{ code: "USD_RLS", price: 1 }]);
same<ReturnType<typeof createKey>, Promise<ApiKey>>();
is<(key: ApiKey) => string>((key) => key);
// An app needs no casts: names are texts, times have types that createIngest accepts, and a fake clock is a function.
const fake = { ...nodeSystem, clock: () => 1_787_329_800_000 };
void createApi({ ...fake, ...store });
void createPrices({ ...fake, ...store });
is<Parameters<typeof openJsonFiles>[1]>(fake);
void createKey(store.accounts, nodeSystem, "me", { expiresAt: new Date() });
void createKey(store.accounts, nodeSystem, "me", { expiresAt: "2027-01-31T12:00:00Z" });
void issueKey(nodeSystem, { accountId: "me", createdAt: new Date(), expiresAt: null });
void store.accounts.update([
  { op: "key.revoke", id: "3kT9xQ2a", at: new Date() },
  { op: "account.patch", id: "me", plan: "PRO" },
]);
// @ts-expect-error A plain number may be in seconds.
void createKey(store.accounts, nodeSystem, "me", { expiresAt: 1_801_396_800 });

// A port may return a value or a promise.
is<QuotaLedger>({ take: () => ({ granted: true, used: 1 }), giveBack: async () => 0, used: () => Promise.resolve(0) });
// @ts-expect-error The answer must state whether the unit was granted.
is<QuotaLedger>({ take: () => true, giveBack: () => 0, used: () => 0 });
same<Awaited<ReturnType<Observations["lastOfEach"]>>, Versioned<readonly Observation[]>>();

// A value of a branded type comes only from the parser of that type.
// @ts-expect-error A plain text is not a date.
is<CalendarDate>("2026-11-21");
// @ts-expect-error An account id is not a date.
is<CalendarDate>(account);
// @ts-expect-error A plain number may be in seconds.
is<UtcMillis>(1_763_719_200);
// @ts-expect-error There is no such category.
defineAsset({ code: "X_USD", category: "BOND", nameEn: "", nameFa: "" });

if (result.ok) same<typeof result.value, number>();
else same<typeof result.error, ErrorCode>();
