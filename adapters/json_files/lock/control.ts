import type { Socket } from "node:net";
import { parseDate } from "../../../core/internal.ts";
import type { AccountBook, AccountId, AppendOutcome, AssetCode, CalendarDate, Coverage, Observation, Versioned } from "../../../core/mod.ts";
import { listOf, objectOf, parseChange } from "../parse_accounts.ts";
import type { AccountChange } from "../../../core/mod.ts";
import type { ImportAccess } from "../../store/imports.ts";
import { changeImports } from "../imports/requests.ts";
import type { Compaction } from "../maintenance/compact.ts";
import type { PointInTime } from "../maintenance/point_in_time.ts";
import { parseObservation } from "../log/observation_line.ts";
import type { DayUsage } from "../../store/store.ts";
import { linesOf, send } from "./messages.ts";

/** What other processes can do with a store as well as the one that holds it. */
export interface StoreAccess {
  append(batch: readonly Observation[]): Promise<AppendOutcome>;
  /** Takes out all observations of a provider, whatever their status; resolves to their number. */
  removeProvider(provider: string): Promise<number>;
  /** What is known of each code, in the order asked; `undefined` where there is no accepted observation. */
  coverage(codes: readonly AssetCode[]): Promise<Versioned<readonly (Coverage | undefined)[]>>;
  book(): Promise<AccountBook>;
  /** Makes all changes at once, or none when one of them does not fit. */
  update(changes: readonly AccountChange[]): Promise<AccountBook>;
  /** Units used by an account on a quota day. */
  used(account: AccountId, day: CalendarDate): Promise<number>;
  /** What was used on the quota days that are open: also of a day's reservations, only what was really used. */
  usage(): Promise<readonly DayUsage[]>;
  info(): Promise<StoreInfo>;
  /** What the process that holds the store says of itself: a JSON value; `undefined` if it says nothing. */
  status(): Promise<unknown>;
  /** Takes out of the files what was replaced or removed since. The store is read and written meanwhile. */
  compact(): Promise<Compaction>;
  /** The state of the store at this moment, for a copy: all that was acknowledged by then is in it. */
  pointInTime(): Promise<PointInTime>;
  readonly imports: ImportAccess;
}

/** Facts about an open store. */
export interface StoreInfo {
  readonly storeId: string;
  /** The process that holds it. */
  readonly pid: number;
  /** How often the directory was opened. */
  readonly generation: number;
  /** Version of all observations. */
  readonly version: string;
  /** Number of places in the log of observations that could not be read. */
  readonly damages: number;
}

/** How long a closing server waits for a peer that does not read. */
const FAREWELL_MS = 1_000;

/** Answers the requests of other processes. */
export interface ControlServer {
  /** Answers requests on a connection to the lock's socket. */
  accept(socket: Socket): void;
  /** Finishes the requests that are being carried out, and tells all peers that it takes no more. */
  close(): Promise<void>;
}

/** Makes the server that gives other processes access to a store. The permissions of the socket decide who may connect. */
export function createControlServer(store: StoreAccess): ControlServer {
  const connections = new Map<Socket, Promise<void>>();
  let serving = true;

  async function serve(socket: Socket): Promise<void> {
    send(socket, { serving });
    try {
      for await (const line of linesOf(socket)) {
        if (!serving) continue; // The peer has been told, and sends it again elsewhere.
        const answering = answer(store, line).then((message) => send(socket, message));
        connections.set(socket, answering);
        await answering;
      }
    } catch {
      // The peer has gone, or sends something else.
    }
    socket.destroy();
  }

  return {
    accept(socket) {
      if (!serving) return; // The lock closes its connections; without `serving`, the peer tries again.
      connections.set(socket, Promise.resolve());
      socket.once("close", () => connections.delete(socket));
      void serve(socket);
    },
    async close() {
      serving = false;
      await Promise.all([...connections].map(async ([socket, answering]) => {
        await answering;
        await sayFarewell(socket);
      }));
    },
  };
}

/** Tells a peer that its unanswered requests were not carried out, and waits until it has closed the connection. */
async function sayFarewell(socket: Socket): Promise<void> {
  if (socket.destroyed) return;
  const timeout = setTimeout(() => socket.destroy(), FAREWELL_MS);
  const closed = new Promise<void>((done) => socket.once("close", () => done()));
  send(socket, { serving: false });
  await closed;
  clearTimeout(timeout);
}

async function answer(store: StoreAccess, line: string): Promise<object> {
  let id: unknown;
  try {
    const request = objectOf(JSON.parse(line), "request") as Request;
    id = request.id;
    return { id, result: await work(store, request) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { id, error: { name, message } };
  }
}

interface Request {
  readonly id?: unknown;
  readonly op?: unknown;
  readonly batch?: unknown;
  readonly codes?: unknown;
  readonly provider?: unknown;
  readonly changes?: unknown;
  readonly account?: unknown;
  readonly day?: unknown;
}

async function work(store: StoreAccess, request: Request): Promise<unknown> {
  const { op, batch, codes, provider, changes, account, day } = request;
  switch (op) {
    case "info":
      return store.info();
    case "status":
      return store.status();
    case "pointInTime":
      return store.pointInTime();
    case "compact":
      return store.compact();
    case "append":
      return store.append(listOf(batch, "batch").map(parseObservation));
    case "removeProvider":
      if (typeof provider !== "string") throw new TypeError("Cannot remove as a provider is needed");
      return store.removeProvider(provider);
    case "coverage":
      return store.coverage(listOf(codes, "codes").map((code) => String(code) as AssetCode)); // one that is not stored has no coverage
    case "accounts.book":
      return store.book();
    case "accounts.update":
      return store.update(listOf(changes, "changes").map(parseChange));
    case "quota.usage":
      return store.usage();
    case "quota.used": {
      const date = typeof day === "string" ? parseDate(day) : undefined;
      if (typeof account !== "string" || !date) throw new TypeError("Cannot read the units used as an account and a day are needed");
      return store.used(account as AccountId, date);
    }
    default:
      if (typeof op === "string" && op.startsWith("imports.")) return changeImports(store.imports, op, request);
      throw new TypeError(`Cannot act as the operation is not known: received "${String(op).slice(0, 64)}"`);
  }
}
