import type { Socket } from "node:net";
import { plainChange } from "../../../../core/internal.ts";
import { Unavailable } from "../../../../core/mod.ts";
import type { ChangedBy } from "../../shared/store.ts";
import { StoreError } from "../../shared/store_error.ts";
import { OwnerGone } from "../errors.ts";
import { type FileSystem, nodeFileSystem } from "../file_system.ts";
import { type Caller, otherVersion, thisCaller } from "./calling_process.ts";
import { connectToOwner } from "./directory_lock.ts";
import { accessThrough, type ClosableAccess, callMethod, type StoreAccess } from "./store_access.ts";

// What the process that owns a store and other processes send each other on a connection to the lock's socket: JSON lines.
// The owner sends `{"serving":true,"version":…}` when it takes requests. A request is `{"id":1,"method":"append","args":[…],"by":{…}}`
// with the caller, who has to be of the same version; its answer `{"id":1,"result":{…}}` or `{"id":1,"error":{"name":…,"message":…}}`. An owner that closes the store answers
// what it has begun and ends the connection: all that was not answered is asked again elsewhere.

interface Message {
  readonly serving?: boolean;
  readonly version?: string;
  readonly by?: Caller;
  readonly id?: number;
  readonly method?: string;
  readonly args?: readonly unknown[];
  readonly result?: unknown;
  readonly error?: { readonly name: string; readonly message: string };
}

/** The longest message. An append of the largest size is shorter. */
const MAX_MESSAGE_BYTES = 64 << 20;
/** How long a closing owner waits for a peer that does not read. */
const FAREWELL_MS = 1_000;
/** How long an owner may take to open its store, before which it does not answer. */
const OPENING_MS = 60_000;

/** Answers the requests of other processes. */
export interface ControlServer {
  /** Answers requests on a connection to the lock's socket. */
  accept(socket: Socket): void;
  /** Finishes the requests that are being carried out, and ends all connections. */
  close(): Promise<void>;
}

/**
 * Makes the server that gives other processes access to a store. The permissions of the socket decide who may connect.
 *
 * @param storeFor The store for a caller.
 */
export function createControlServer(storeFor: (by: ChangedBy) => StoreAccess): ControlServer {
  const connections = new Map<Socket, Promise<unknown>>();
  let serving = true;

  return {
    accept(socket) {
      if (!serving) return; // The lock closes its connections; without `serving`, the peer tries again.
      connections.set(socket, Promise.resolve());
      socket.once("close", () => connections.delete(socket));
      const takeLines = lineSplitter((line) => {
        const answered = connections
          .get(socket)!
          .then(async () => serving && send(socket, await answer(storeFor, line)));
        connections.set(
          socket,
          answered.catch(() => socket.destroy()),
        ); // Not a request.
      });
      onChunks(socket, takeLines, () => socket.destroy());
      send(socket, { serving, version: thisCaller().version });
    },
    async close() {
      serving = false;
      await Promise.all(
        [...connections].map(async ([socket, answering]) => {
          await answering;
          if (socket.destroyed) return; // Also one that was closed before it was accepted.
          const timeout = setTimeout(() => socket.destroy(), FAREWELL_MS);
          const closed = new Promise((done) => socket.once("close", done));
          socket.end();
          await closed;
          clearTimeout(timeout);
        }),
      );
    },
  };
}

async function answer(storeFor: (by: ChangedBy) => StoreAccess, line: string): Promise<Message> {
  const { id, method, args, by } = JSON.parse(line) as Message;
  const message = id === undefined ? {} : { id };
  try {
    const other = otherVersion(by?.version);
    if (other !== undefined) throw new StoreError(other, 78);
    if (typeof method !== "string" || !Array.isArray(args)) throw new TypeError("Cannot carry out what is no request");
    return { ...message, result: await callMethod(storeFor(by!), method, args) };
  } catch (error) {
    const { name, message: text } = error instanceof Error ? error : new Error(String(error));
    return { ...message, error: { name, message: text } };
  }
}

/**
 * Access to a store by the process that owns it, as soon as that serves requests; `undefined` when there is none, or it ends
 * before. Calls throw `OwnerGone` when it ends before it has answered.
 */
export async function connectToStore(
  directory: string,
  fs: FileSystem = nodeFileSystem,
): Promise<ClosableAccess | undefined> {
  const socket = await connectToOwner(fs, directory);
  return socket && createClient(socket);
}

async function createClient(socket: Socket): Promise<ClosableAccess | undefined> {
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  /** Why no request can be sent any more. */
  let ended: OwnerGone | undefined;

  function end(reason: string): void {
    ended ??= new OwnerGone(reason);
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
    socket.destroy();
  }

  function ask(method: string, args: readonly unknown[]): Promise<unknown> {
    const id = ++lastId;
    const line = lineOf({ id, method, args, by: thisCaller() });
    if (line.length > MAX_MESSAGE_BYTES) {
      throw new RangeError(
        `Cannot send as a message takes at most ${MAX_MESSAGE_BYTES} bytes: received "${line.length}"`,
      );
    }
    return new Promise((resolve, reject) => {
      if (ended) return reject(ended);
      waiting.set(id, { resolve, reject });
      socket.write(line);
    });
  }

  const isServing = await new Promise<boolean>((resolve, reject) => {
    const timeout = setTimeout(() => {
      reject(new OwnerGone("The process that owns the store does not answer"));
      socket.destroy();
    }, OPENING_MS);
    const takeLines = lineSplitter((line) => {
      const { serving, version, id = 0, result, error } = JSON.parse(line) as Message; // The owner runs this program.
      clearTimeout(timeout);
      if (serving === true) {
        const other = otherVersion(version);
        if (other === undefined) return resolve(true);
        reject(new StoreError(other, 78));
        return socket.destroy();
      }
      const caller = waiting.get(id);
      waiting.delete(id);
      if (error) caller?.reject(toError(error));
      else caller?.resolve(result);
    });
    onChunks(socket, takeLines, () => {
      clearTimeout(timeout);
      resolve(false);
      end("The process that owns the store has ended: the last request may or may not have been carried out");
    });
  });
  if (!isServing) return undefined;
  const access = accessThrough(ask);
  return {
    ...access,
    // A `Date` would not arrive as one.
    update: async (changes) => access.update(changes.map(plainChange)),
    // JSON has null for undefined.
    async coverage(codes) {
      const { version, value } = await access.coverage(codes);
      return { version, value: value.map((known) => known ?? undefined) };
    },
    async close() {
      socket.destroy();
    },
  };
}

function send(socket: Socket, message: Message): void {
  socket.write(lineOf(message));
}

function lineOf(message: Message): string {
  return `${JSON.stringify(message)}\n`;
}

/** Passes what arrives on, until the connection has ended or `take` throws. Not an async iterator, which drops what arrives just before the connection breaks. */
function onChunks(socket: Socket, take: (chunk: Buffer) => void, end: () => void): void {
  socket.on("data", (chunk: Buffer) => {
    try {
      take(chunk);
    } catch {
      end(); // Not a message.
    }
  });
  socket.once("close", end);
}

/** Returns a function that takes chunks of a connection and passes whole lines on. Throws for one that is too long. */
function lineSplitter(takeLine: (line: string) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      takeLine(Buffer.concat([...parts, chunk.subarray(start, end)]).toString());
      parts = [];
      length = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_MESSAGE_BYTES) throw new RangeError("A message is too long");
  };
}

function toError({ name, message }: { name: string; message: string }): Error {
  if (name === "Unavailable") return new Unavailable(message);
  if (name === "StoreError") return new StoreError(message, 65);
  if (name === "RangeError") return new RangeError(message);
  return name === "TypeError" ? new TypeError(message) : new Error(message);
}
