import { Unavailable } from "../../core/mod.ts";

/** A client of node-redis (the package `redis`), as its `createClient` gives it. Of its options those are named that matter here. */
export interface NodeRedisClient {
  sendCommand(args: readonly string[]): Promise<unknown>;
  readonly options?: { readonly disableOfflineQueue?: boolean | undefined };
  listenerCount?(event: "error"): number;
  on?(event: "error", listener: (error: unknown) => void): unknown;
}

/** A client of `ioredis`, as its `new Redis()` gives it. Of its options those are named that matter here. */
export interface IoRedisClient {
  call(command: string, args: string[]): Promise<unknown>;
  on?(event: "error", listener: (error: unknown) => void): unknown;
  readonly options: {
    readonly enableOfflineQueue?: boolean | undefined;
    readonly autoResendUnfulfilledCommands?: boolean | undefined;
    readonly maxRetriesPerRequest?: number | null | undefined;
    readonly keyPrefix?: string | undefined;
    readonly db?: number | undefined;
  };
}

/** A connected client of Redis or Valkey. Whoever made it closes it. */
export type RedisClient = NodeRedisClient | IoRedisClient;

/**
 * Sends a command, once. Throws `Unavailable`, with what the client has thrown as its cause: Redis has refused the
 * command, cannot be reached, or has not answered in time. In the last two cases nobody knows whether it was done.
 */
export type Send = (args: readonly [command: string, ...args: string[]]) => Promise<unknown>;

/** Why each client has no connection: to a command it only says that it has none. */
const lastErrors = new WeakMap<RedisClient, string>();

/** Notes the last error of a client, with one listener, however often it is used. */
function followErrors(client: RedisClient): void {
  if (lastErrors.has(client)) return;
  lastErrors.set(client, "");
  client.on?.("error", (error: unknown) => void lastErrors.set(client, textOf(error)));
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** How each answer of Redis begins by which it refuses a command. */
const REFUSAL = /^[A-Z]+ /;

/**
 * Makes the function that sends commands over a client.
 *
 * Redis answers in the order of the commands. So while one has no answer in time, none is sent after it: each would be
 * late, too, and might count units for nobody. It also lets the client notice that its connection is dead, as timers of
 * silence start again with each command.
 *
 * @param timeoutMs How long an answer may take. A command that has no answer by then is left alone.
 * @returns Throws `TypeError` at once for a client that would send a command twice, or long after its caller has gone, or
 *   that changes the names of keys.
 */
export function createSend(client: RedisClient, timeoutMs: number): Send {
  demandSafe(client);
  followErrors(client);
  const call: Send = "call" in client ? ([command, ...args]) => client.call(command, args) : (args) => client.sendCommand(args);
  const late = new Set<Promise<unknown>>();
  const tooLate = (): Unavailable => new Unavailable(`Redis has not answered within ${timeoutMs} ms`);
  return (args) => {
    if (late.size > 0) return Promise.reject(tooLate());
    return new Promise((resolve, reject) => {
      const answer = call(args);
      const timer = setTimeout(() => {
        late.add(answer);
        reject(tooLate());
      }, timeoutMs);
      const settle = (): void => {
        clearTimeout(timer);
        late.delete(answer);
      };
      answer.then(
        (value) => {
          settle();
          resolve(value);
        },
        (error: unknown) => {
          settle();
          const said = textOf(error);
          if (REFUSAL.test(said)) return reject(new Unavailable(`Redis refuses: ${said}`, 5, { cause: error }));
          const why = lastErrors.get(client) ?? "";
          reject(new Unavailable(`Redis gives no answer: ${said}${why === "" || why === said ? "" : ` (${why})`}`, 5, { cause: error }));
        },
      );
    });
  };
}

/** What Redis itself answered to a command that it refused, e.g. `NOSCRIPT No matching script`; "" where it was not Redis. */
export function refusalOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  return error instanceof Unavailable && cause instanceof Error && REFUSAL.test(cause.message) ? cause.message : "";
}

/** Whether Redis does not let this user run a command, or does not know it, within a script, too: that passes only when somebody mends it. */
export function isForbidden(error: unknown): boolean {
  return /^(?:NOPERM|NOAUTH|ERR (?:unknown command|Unknown Redis command|The user executing the script|ACL failure))/.test(refusalOf(error));
}

/** Throws `Unavailable` where the client's database cannot be used: ioredis would go on in database 0, on the ledger of another house. */
export async function demandDatabase(client: RedisClient, send: Send): Promise<void> {
  const database = "call" in client ? client.options.db : undefined;
  if (database) await send(["SELECT", String(database)]);
}

/** Refuses clients whose settings break the promise that no command is sent twice or after a failure was reported, or that lead to another ledger. */
function demandSafe(client: RedisClient): void {
  if ("isCluster" in client && client.isCluster === true) {
    throw unsafe("it is an ioredis Cluster, which sends a command again when a node is lost: use a client of one node, or Sentinel");
  }
  if ("call" in client) {
    const { enableOfflineQueue, autoResendUnfulfilledCommands, maxRetriesPerRequest, keyPrefix } = client.options;
    if (autoResendUnfulfilledCommands !== false) throw unsafe("ioredis sends commands again whose answer was lost: set autoResendUnfulfilledCommands: false");
    // Otherwise a command whose connection was lost is never settled.
    if (maxRetriesPerRequest !== 0) throw unsafe("ioredis leaves commands without an answer when a connection is lost: set maxRetriesPerRequest: 0");
    if (enableOfflineQueue !== false) throw unsafe("ioredis keeps commands until there is a connection, when nobody waits for them: set enableOfflineQueue: false");
    if (keyPrefix) throw unsafe(`ioredis puts its keyPrefix "${keyPrefix}" before the names of all keys, which makes another ledger: leave it out, and set the ledger's own option prefix`);
    return;
  }
  if (client.options && client.options.disableOfflineQueue !== true) {
    throw unsafe("node-redis keeps commands until there is a connection, when nobody waits for them: set disableOfflineQueue: true");
  }
  if (client.listenerCount?.("error") === 0) {
    throw unsafe('node-redis ends the process with the first lost connection as nobody listens: add client.on("error", …)');
  }
}

function unsafe(reason: string): TypeError {
  return new TypeError(`Cannot count units with this client as ${reason}`);
}
