import { once } from "node:events";
import { chmod, lstat, mkdir, open as openDirectory } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { createConnection } from "node:net";
import { basename, dirname, resolve } from "node:path";
import { codeOf, StoreError } from "../../shared/store_error.ts";
import { giveToOwner } from "../file_system.ts";

/** The folder of a store's sockets. Only the folder's owner can enter it and connect, whatever the umask is. */
export const SOCKETS = "control";

const MAX_SOCKET_PATH_BYTES = 100;

/** Answers HTTP requests on a new socket, without keeping the process alive. Returns its removal function. */
export async function listen(socket: string, handler: RequestListener): Promise<() => Promise<void>> {
  await makePrivate(dirname(socket));
  const address = await socketAddress(socket);
  // No time limits: callers are processes of this machine, which may be suspended, and some calls take minutes.
  const server = createServer({ headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 }, handler);
  // The listener is not removed: a later error, such as EMFILE in accept, must not end the process.
  await new Promise<void>((done, fail) => server.on("error", fail).listen(address.path, done));
  await giveToOwner(socket);
  server.unref();
  return async () => {
    const closed = new Promise((done) => server.close(done));
    server.closeAllConnections();
    await closed;
    await address.close();
  };
}

/** Whether a process listens on a socket. */
export async function isListening(socket: string): Promise<boolean> {
  let address: SocketAddress | undefined;
  try {
    address = await socketAddress(socket);
    const connection = createConnection(address.path);
    await once(connection, "connect");
    connection.destroy();
    return true;
  } catch (error) {
    // ECONNRESET: the listener has ended before it accepted the connection.
    if (["ECONNREFUSED", "ECONNRESET", "ENOENT"].includes(codeOf(error))) return false;
    throw error;
  } finally {
    await address?.close();
  }
}

async function makePrivate(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
  const found = await lstat(directory);
  await giveToOwner(directory);
  // A link could point to a directory that others may enter.
  if (!found.isDirectory())
    throw new StoreError(`Cannot open the store because "${directory}" is not a directory. Remove it`, 78);
  if ((found.mode & 0o077) !== 0) await chmod(directory, 0o700);
}

interface SocketAddress {
  readonly path: string;
  close(): Promise<void>;
}

/** A path of at most 100 bytes for a socket. On Linux, a longer path becomes a path through `/proc/self/fd`. */
export async function socketAddress(socket: string): Promise<SocketAddress> {
  const path = resolve(socket);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return { path, close: async () => {} };
  if (process.platform !== "linux") {
    throw new StoreError(`Cannot open the store because its socket path must be shorter: received "${path}"`, 78);
  }
  const handle = await openDirectory(dirname(path));
  return { path: `/proc/self/fd/${handle.fd}/${basename(path)}`, close: () => handle.close() };
}
