import { Agent, type IncomingMessage, request, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { finished } from "node:stream/promises";
import { plainChange } from "../../../../core/internal.ts";
import { Unavailable } from "../../../../core/mod.ts";
import { PROGRAM_VERSION } from "../../../server/program_version.ts";
import { thisProcess } from "../../../server/this_process.ts";
import type { ChangedBy } from "../../shared/store.ts";
import { codeOf, StoreError } from "../../shared/store_error.ts";
import { DataDamaged, OwnerGone, SchemaTooNew } from "../errors.ts";
import { type FileSystem, nodeFileSystem } from "../file_system.ts";
import { findOwner } from "./directory_lock.ts";
import { socketAddress } from "./socket.ts";
import { accessThrough, callMethod, type FullAccess, type OpenAccess } from "./store_access.ts";

// Other processes call the methods of a store with HTTP on the lock's socket, whose permissions limit access.
//
//   POST /imports/append             the method
//   mazaneh-version: 1.0.0           the caller's version; must equal the owner's version, which is in the answer
//   mazaneh-caller: %7B%22user...    who makes the change, as JSON
//   [3,[{...}],false]                the arguments
//
// The answer is 200 with the result, or 500 with the error: {"name":"DataDamaged","message":"...","exitCode":65}.
// A caller makes one call at a time. An owner that is still opening the store answers when the store is open.
// A closing owner answers the calls that have begun. All other callers then send their calls to the next owner.

const VERSION = "mazaneh-version";
const CALLER = "mazaneh-caller";
/** How long a closing owner waits for a caller that does not read its answer. */
const FAREWELL_MS = 1_000;
/** How long an owner may take to open its store and answer. */
const OPENING_MS = 60_000;
/** Error codes of a connection to a process that has ended or is closing the store. */
const GONE: ReadonlySet<string> = new Set(["ABORT_ERR", "ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE"]);
/** The members of an error that are sent, so that a command exits as if it had opened the store itself. */
const MEMBERS = ["name", "message", "exitCode", "retryAfterSeconds", "file", "code"];
const CLASSES = { DataDamaged, RangeError, SchemaTooNew, StoreError, TypeError, Unavailable };

/** Makes the server by which other processes use a store. `storeFor` returns the store for a caller. */
export function createControlServer(storeFor: (by: ChangedBy) => OpenAccess) {
  const begun = new Set<Promise<void>>();
  let serving = true;

  async function answer({ url = "", headers }: IncomingMessage, body: string, response: ServerResponse): Promise<void> {
    response.setHeader(VERSION, PROGRAM_VERSION);
    try {
      demandSameVersion(headers[VERSION]);
      const by = JSON.parse(decodeURIComponent(String(headers[CALLER]))) as ChangedBy; // It runs this program.
      const args = JSON.parse(body) as readonly unknown[];
      response.end(JSON.stringify(await callMethod(storeFor(by), url.slice(1), args)));
    } catch (thrown) {
      response.statusCode = 500;
      response.end(JSON.stringify(thrown instanceof Error ? thrown : new Error(String(thrown)), MEMBERS));
    }
    await finished(response, { signal: AbortSignal.timeout(FAREWELL_MS) }).catch(() => undefined);
  }

  return {
    async accept(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const body = await text(request).catch(() => undefined);
      if (!serving || body === undefined) return void request.destroy();
      const answered = answer(request, body, response);
      begun.add(answered);
      await answered;
      begun.delete(answered);
    },
    /** Finishes calls that have begun, and refuses new calls. */
    async close(): Promise<void> {
      serving = false;
      await Promise.all(begun);
    },
  };
}

/** Access to a store through its owner, or `undefined` if there is no owner. Calls may throw `OwnerGone` later. */
export async function connectToStore(
  directory: string,
  fs: FileSystem = nodeFileSystem,
): Promise<FullAccess | undefined> {
  const socket = await findOwner(fs, directory);
  if (socket === undefined) return undefined;
  const address = await socketAddress(socket);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { [VERSION]: PROGRAM_VERSION, [CALLER]: encodeURIComponent(JSON.stringify(thisProcess())) };
  const closing = new AbortController();

  async function close(): Promise<void> {
    closing.abort();
    agent.destroy();
    await address.close();
  }

  async function call(method: string, args: readonly unknown[], signal = closing.signal): Promise<unknown> {
    const sent = JSON.stringify(args);
    const options = { socketPath: address.path, path: `/${method}`, method: "POST", headers, agent, signal };
    let answer: IncomingMessage;
    let body: string;
    try {
      answer = await new Promise((resolve, reject) => request(options, resolve).on("error", reject).end(sent));
      body = await text(answer);
    } catch (error) {
      await close();
      if (!GONE.has(codeOf(error))) throw error;
      throw new OwnerGone(
        "The process that owns the store has ended: the last request may or may not have been carried out",
      );
    }
    demandSameVersion(answer.headers[VERSION]);
    if (answer.statusCode !== 200) throw errorOf(JSON.parse(body) as Error);
    return body === "" ? undefined : JSON.parse(body);
  }

  const tooLong = AbortSignal.timeout(OPENING_MS);
  try {
    await call("info", [], tooLong);
  } catch (error) {
    await close();
    if (!(error instanceof OwnerGone)) throw error;
    if (tooLong.aborted) throw new OwnerGone("The process that owns the store does not answer");
    return undefined;
  }
  const access = accessThrough(call);
  return {
    ...access,
    // JSON has no `Date`.
    update: async (changes) => access.update(changes.map(plainChange)),
    close,
  };
}

function errorOf(members: Error): Error {
  const { prototype } = CLASSES[members.name as keyof typeof CLASSES] ?? Error;
  return Object.assign(Object.setPrototypeOf(new Error(members.message), prototype) as Error, members);
}

/** Throws if the other process runs another version, because the two could misread each other. */
function demandSameVersion(other: string | readonly string[] | undefined): void {
  if (other === PROGRAM_VERSION) return;
  const message = `This is version ${PROGRAM_VERSION}, and the process at the other end is version ${other ?? "unknown"}: use the same version, and restart a server after an upgrade`;
  throw new StoreError(message, 78);
}
