import type { Socket } from "node:net";
import { parseDate } from "../../../core/internal.ts";
import { Unavailable } from "../../../core/mod.ts";
import type { AccountBook, AccountChange, AccountId, AppendOutcome, CalendarDate, Observation } from "../../../core/mod.ts";
import { HolderGone, STORE_CLOSED } from "../errors.ts";
import type { PointInTime } from "../maintenance/point_in_time.ts";
import { listOf, objectOf, parseBook, parseChange } from "../parse_accounts.ts";
import { parseObservation } from "../log/observation_line.ts";

/** What other processes can do with a store as well as the one that holds it. */
export interface StoreAccess {
  append(batch: readonly Observation[]): Promise<AppendOutcome>;
  book(): Promise<AccountBook>;
  /** Makes all changes at once, or none when one of them does not fit. */
  update(changes: readonly AccountChange[]): Promise<AccountBook>;
  /** Units used by an account on a quota day. */
  used(account: AccountId, day: CalendarDate): Promise<number>;
  info(): Promise<StoreInfo>;
  /** The state of the store at this moment, for a copy: all that was acknowledged by then is in it. */
  pointInTime(): Promise<PointInTime>;
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

/** The longest message. An append of the largest size is shorter. */
const MAX_MESSAGE_BYTES = 64 << 20;

/**
 * Answers the requests of another process on a connection to the lock's socket. Request and answer are one
 * JSON line each: `{"id":1,"op":"info"}` and `{"id":1,"result":{…}}` or `{"id":1,"error":{"name":…,"message":…}}`.
 * The permissions of the directory decide who may connect.
 */
export async function serveControl(store: StoreAccess, socket: Socket): Promise<void> {
  try {
    for await (const line of linesOf(socket)) socket.write(`${JSON.stringify(await answer(store, line))}\n`);
  } catch {
    // The peer has gone, or sends something else.
  }
  socket.destroy();
}

async function answer(store: StoreAccess, line: string): Promise<object> {
  let id: unknown;
  try {
    const request = objectOf(JSON.parse(line), "request") as Request;
    id = request.id;
    return { id, result: await act(store, request) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    return { id, error: { name, message } };
  }
}

interface Request {
  readonly id?: unknown;
  readonly op?: unknown;
  readonly batch?: unknown;
  readonly changes?: unknown;
  readonly account?: unknown;
  readonly day?: unknown;
}

async function act(store: StoreAccess, { op, batch, changes, account, day }: Request): Promise<unknown> {
  switch (op) {
    case "info":
      return store.info();
    case "pointInTime":
      return store.pointInTime();
    case "append":
      return store.append(listOf(batch, "batch").map(parseObservation));
    case "accounts.book":
      return store.book();
    case "accounts.update":
      return store.update(listOf(changes, "changes").map(parseChange));
    case "quota.used": {
      const date = typeof day === "string" ? parseDate(day) : undefined;
      if (typeof account !== "string" || !date) throw new TypeError("Cannot read the units used as an account and a day are needed");
      return store.used(account as AccountId, date);
    }
    default:
      throw new TypeError(`Cannot act as the operation is not known: received "${String(op).slice(0, 64)}"`);
  }
}

/** Access to a store over a connection to the process that holds it. */
export function connectControl(socket: Socket): StoreAccess & { close(): Promise<void> } {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let gone = false;

  async function listen(): Promise<void> {
    try {
      for await (const line of linesOf(socket)) {
        const { id, result, error } = JSON.parse(line) as { id: number; result?: unknown; error?: { name: string; message: string } };
        const caller = waiting.get(id);
        waiting.delete(id);
        if (error) caller?.reject(toError(error));
        else caller?.resolve(result);
      }
    } catch {
      // Treated below as the end of the connection.
    }
    gone = true;
    for (const { reject } of waiting.values()) reject(new HolderGone("The process that holds the store has ended: the last request may or may not have been carried out"));
    waiting.clear();
  }

  function ask(op: string, members: object = {}): Promise<unknown> {
    const id = ++lastId;
    const message = `${JSON.stringify({ id, op, ...members })}\n`;
    if (message.length > MAX_MESSAGE_BYTES) {
      throw new RangeError(`Cannot send as a message takes at most ${MAX_MESSAGE_BYTES} bytes: received "${message.length}"`);
    }
    return new Promise((resolve, reject) => {
      if (gone) return reject(new HolderGone("The process that holds the store has ended"));
      waiting.set(id, { resolve, reject });
      socket.write(message);
    });
  }

  void listen();
  return {
    append: async (batch) => (await ask("append", { batch })) as AppendOutcome,
    book: async () => parseBook(await ask("accounts.book")),
    update: async (changes) => parseBook(await ask("accounts.update", { changes })),
    used: async (account, day) => (await ask("quota.used", { account, day })) as number,
    info: async () => (await ask("info")) as StoreInfo,
    pointInTime: async () => (await ask("pointInTime")) as PointInTime,
    async close() {
      socket.destroy();
    },
  };
}

function toError({ name, message }: { name: string; message: string }): Error {
  if (name === "Unavailable") return message === STORE_CLOSED ? new HolderGone(message) : new Unavailable(message);
  if (name === "RangeError") return new RangeError(message);
  return name === "TypeError" ? new TypeError(message) : new Error(message);
}

/** The lines that arrive on a connection. Throws for one that is too long. */
async function* linesOf(socket: Socket): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString();
      parts = [];
      length = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_MESSAGE_BYTES) throw new RangeError("A message is too long");
  }
}
