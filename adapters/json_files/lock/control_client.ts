import { plainChange } from "../../../core/internal.ts";
import type { Socket } from "node:net";
import { Unavailable } from "../../../core/mod.ts";
import type { AppendOutcome, Coverage, Versioned } from "../../../core/mod.ts";
import { parseBook } from "../parse_accounts.ts";
import { StoreError } from "../../store/store_error.ts";
import { HolderGone, HolderLeft } from "../errors.ts";
import { nodeFileSystem } from "../fs.ts";
import type { FileSystem } from "../fs.ts";
import { askImports } from "../imports/requests.ts";
import type { Compaction } from "../maintenance/compact.ts";
import type { PointInTime } from "../maintenance/point_in_time.ts";
import type { DayUsage } from "../../store/store.ts";
import type { StoreAccess, StoreInfo } from "./control.ts";
import { connectToHolder } from "./lock.ts";
import { MAX_MESSAGE_BYTES, lineSplitter } from "./messages.ts";

interface Message {
  readonly serving?: boolean;
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

/** Access to a store, to be closed after use. */
export type ClosableAccess = StoreAccess & { close(): Promise<void> };

/** How long a holder may take to open its store, before which it does not answer. */
const OPENING_MS = 60_000;

/**
 * Access to a store by the process that holds it, as soon as that serves requests; `undefined` when there is none,
 * or it ends before. Calls throw `HolderGone` when it ends before it has answered: `HolderLeft` when they were not carried out.
 */
export async function connectToStore(directory: string, fs: FileSystem = nodeFileSystem): Promise<ClosableAccess | undefined> {
  const socket = await connectToHolder(fs, directory);
  return socket && createClient(socket);
}

async function createClient(socket: Socket): Promise<ClosableAccess | undefined> {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  /** Why no request can be sent any more. */
  let ended: HolderGone | undefined;

  function end(reason: HolderGone): void {
    ended ??= reason;
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    socket.destroy();
  }

  function receive({ serving, id, result, error }: Message): void {
    if (serving === false) return end(new HolderLeft("The process that holds the store closes it: the request was not carried out"));
    const caller = waiting.get(id ?? 0);
    waiting.delete(id ?? 0);
    if (error) caller?.reject(toError(error));
    else caller?.resolve(result);
  }

  function ask(op: string, members: object = {}): Promise<unknown> {
    const id = ++lastId;
    const message = `${JSON.stringify({ id, op, ...members })}\n`;
    if (message.length > MAX_MESSAGE_BYTES) {
      throw new RangeError(`Cannot send as a message takes at most ${MAX_MESSAGE_BYTES} bytes: received "${message.length}"`);
    }
    return new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      waiting.set(id, { resolve, reject });
      socket.write(message);
    });
  }

  const isServing = await new Promise<boolean>((resolve, reject) => {
    const timeout = setTimeout(() => {
      reject(new HolderGone("The process that holds the store does not answer"));
      socket.destroy();
    }, OPENING_MS);
    const takeLines = lineSplitter((line) => {
      const message = JSON.parse(line) as Message; // The holder runs this program.
      if (message.serving !== true) return receive(message);
      clearTimeout(timeout);
      resolve(true);
    });
    function lose(): void {
      clearTimeout(timeout);
      resolve(false);
      end(new HolderGone("The process that holds the store has ended: the last request may or may not have been carried out"));
    }
    // Not an async iterator, which drops lines that arrive just before the connection breaks.
    socket.on("data", (chunk) => {
      try {
        takeLines(chunk);
      } catch {
        lose(); // Not a message.
      }
    });
    socket.on("close", lose);
  });
  if (!isServing) return undefined;
  return {
    append: async (batch) => (await ask("append", { batch })) as AppendOutcome,
    removeProvider: async (provider) => (await ask("removeProvider", { provider })) as number,
    // JSON has null for undefined.
    async coverage(codes) {
      const { version, value } = (await ask("coverage", { codes })) as Versioned<readonly (Coverage | null)[]>;
      return { version, value: value.map((known) => known ?? undefined) };
    },
    book: async () => parseBook(await ask("accounts.book")),
    update: async (changes) => parseBook(await ask("accounts.update", { changes: changes.map(plainChange) })),
    used: async (account, day) => (await ask("quota.used", { account, day })) as number,
    usage: async () => (await ask("quota.usage")) as DayUsage[],
    info: async () => (await ask("info")) as StoreInfo,
    status: () => ask("status"),
    compact: async () => (await ask("compact")) as Compaction,
    pointInTime: async () => (await ask("pointInTime")) as PointInTime,
    imports: askImports(ask),
    async close() {
      socket.destroy();
    },
  };
}

function toError({ name, message }: { name: string; message: string }): Error {
  if (name === "Unavailable") return new Unavailable(message);
  if (name === "StoreError") return new StoreError(message, 65);
  if (name === "RangeError") return new RangeError(message);
  return name === "TypeError" ? new TypeError(message) : new Error(message);
}
