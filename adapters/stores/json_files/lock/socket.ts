import { chmod, lstat, mkdir, open as openDirectory, readdir, unlink } from "node:fs/promises";
import { createConnection, createServer, type Socket } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { StoreError } from "../../shared/store_error.ts";
import { codeOf, giveToOwner } from "../file_system.ts";

/**
 * The subdirectory of a store that holds its sockets. Only its owner may enter it, whatever the rights of the
 * directory above and the umask are: so nobody else connects, not even between bind and chmod.
 */
export const SOCKETS = "control";

const MAX_SOCKET_PATH_BYTES = 100;

/** A listening socket of a store. */
export interface Listening {
  /** Closes all its connections and removes it. */
  close(): Promise<void>;
}

/** Listens on a new socket of the store in `directory`. Does not keep the process alive. */
export async function listen(directory: string, name: string, accept: (socket: Socket) => void): Promise<Listening> {
  await makePrivate(join(directory, SOCKETS));
  const address = await socketAddress(join(directory, SOCKETS, name));
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {}); // The peer has gone: "close" follows.
    socket.once("close", () => open.delete(socket));
    accept(socket);
  });
  // The listener for errors stays: an accept that fails later, e.g. with EMFILE, must not end the process.
  await new Promise<void>((done, fail) => server.on("error", fail).listen(address.path, done));
  await giveToOwner(join(directory, SOCKETS, name));
  server.unref(); // A program with nothing else to do may end.
  return {
    async close() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of open) socket.destroy();
      await closed;
      await address.close();
    },
  };
}

/** Connects to a socket of a store; `undefined` when no process listens on it. `path` is relative to `directory`. */
export async function connect(directory: string, path: string): Promise<Socket | undefined> {
  let address: SocketAddress | undefined;
  try {
    address = await socketAddress(join(directory, path));
    const { path: reachable } = address;
    return await new Promise<Socket | undefined>((done, fail) => {
      // The listener for errors stays, so that no later error of the connection ends the process.
      const socket = createConnection(reachable, () => done(socket)).on("error", fail);
    });
  } catch (error) {
    // ECONNRESET: the listener has ended before it accepted, so no request was sent yet.
    if (["ECONNREFUSED", "ECONNRESET", "ENOENT"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  } finally {
    await address?.close();
  }
}

/** Removes the sockets whose name `isStale` accepts. */
export async function removeSockets(directory: string, isStale: (name: string) => boolean): Promise<void> {
  for (const name of await readdir(join(directory, SOCKETS))) {
    if (!isStale(name)) continue;
    await unlink(join(directory, SOCKETS, name)).catch((error: unknown) => {
      if (codeOf(error) !== "ENOENT") throw error;
    });
  }
}

async function makePrivate(directory: string): Promise<void> {
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
  });
  const found = await lstat(directory);
  await giveToOwner(directory);
  // A link could lead to where others may enter.
  if (!found.isDirectory())
    throw new StoreError(`Cannot open the store as "${directory}" is not a directory. Remove it`, 78);
  if ((found.mode & 0o077) !== 0) await chmod(directory, 0o700);
}

interface SocketAddress {
  readonly path: string;
  close(): Promise<void>;
}

/** The path of a socket has at most 108 bytes. On Linux, a longer one is reached through the opened directory. */
async function socketAddress(socket: string): Promise<SocketAddress> {
  const path = resolve(socket);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return { path, close: async () => {} };
  if (process.platform !== "linux") {
    throw new StoreError(`Cannot open the store as the path of its socket must be shorter: received "${path}"`, 78);
  }
  const handle = await openDirectory(dirname(path));
  return { path: `/proc/self/fd/${handle.fd}/${basename(path)}`, close: () => handle.close() };
}
