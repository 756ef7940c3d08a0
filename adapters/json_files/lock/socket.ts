import { open as openDirectory } from "node:fs/promises";
import { createConnection, createServer } from "node:net";
import type { Socket } from "node:net";
import { join, resolve } from "node:path";
import { StoreError } from "../errors.ts";
import { codeOf } from "../fs.ts";

const MAX_SOCKET_PATH_BYTES = 100;

/** A listening socket in a directory. */
export interface Listening {
  /** Closes all its connections and removes it. */
  close(): Promise<void>;
}

/** Listens on a new socket in a directory. Does not keep the process alive. */
export async function listen(directory: string, name: string, accept: (socket: Socket) => void): Promise<Listening> {
  const address = await socketAddress(directory, name);
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on("error", () => {}); // The peer has gone: "close" follows.
    socket.once("close", () => open.delete(socket));
    accept(socket);
  });
  await new Promise<void>((done, fail) => server.once("error", fail).listen(address.path, done));
  server.unref(); // A program with nothing else to do may end.
  return {
    async close(): Promise<void> {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const socket of open) socket.destroy();
      await closed;
      await address.close();
    },
  };
}

/** Connects to a socket in a directory; `undefined` when no process listens on it. */
export async function connect(directory: string, name: string): Promise<Socket | undefined> {
  const address = await socketAddress(directory, name);
  try {
    return await new Promise<Socket | undefined>((done, fail) => {
      const socket = createConnection(address.path, () => done(socket.off("error", fail)));
      socket.once("error", fail);
    });
  } catch (error) {
    // ECONNRESET: the listener has ended before it accepted, so no request was sent yet.
    if (["ECONNREFUSED", "ECONNRESET", "ENOENT"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  } finally {
    await address.close();
  }
}

/** The path of a socket has at most 108 bytes. On Linux, a longer one is reached through the opened directory. */
async function socketAddress(directory: string, name: string): Promise<{ path: string; close(): Promise<void> }> {
  const path = join(resolve(directory), name);
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return { path, close: async () => {} };
  if (process.platform !== "linux") {
    throw new StoreError(`Cannot open the store as its path must be shorter: received "${directory}"`, 78);
  }
  const handle = await openDirectory(directory);
  return { path: `/proc/self/fd/${handle.fd}/${name}`, close: () => handle.close() };
}
