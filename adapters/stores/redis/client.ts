import { Unavailable } from "../../../core/mod.ts";
import { inTime } from "../shared/answer_in_time.ts";

/** A connected client of Redis or Valkey, as `createClient` of the package `redis` gives it. Whoever made it closes it. Of its options those are named that matter here. */
export interface RedisClient {
  sendCommand(args: readonly string[]): Promise<unknown>;
  readonly options?: { readonly disableOfflineQueue?: boolean | undefined };
  listenerCount?(event: "error"): number;
  on?(event: "error", listener: (error: unknown) => void): unknown;
}

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

/** What an error says, without the arguments of a command that a server does not know: with HELLO and AUTH that is the password. */
export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/,? with args beginning with:[^]*/, "").slice(0, MAX_SHOWN);
}

/** Characters of an answer that a message repeats. */
const MAX_SHOWN = 300;

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
 * @returns Throws `TypeError` at once for a client that would send a command long after its caller has gone, or end the process.
 */
export function createSend(client: RedisClient, timeoutMs: number): Send {
  demandSafe(client);
  followErrors(client);
  const late = new Set<Promise<unknown>>();
  const tooLate = (): Unavailable => new Unavailable(`Redis has not answered within ${timeoutMs} ms`);
  return async (args) => {
    if (late.size > 0) throw tooLate();
    const answer = client.sendCommand(args);
    const settle = (): void => void late.delete(answer);
    answer.then(settle, settle);
    try {
      return await inTime(answer, timeoutMs, () => {
        late.add(answer);
        throw tooLate();
      });
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      const said = textOf(error);
      if (REFUSAL.test(said)) throw new Unavailable(`Redis refuses: ${said}`, 5, { cause: error });
      const why = lastErrors.get(client) ?? "";
      throw new Unavailable(`Redis gives no answer: ${said}${why === "" || why === said ? "" : ` (${why})`}`, 5, {
        cause: error,
      });
    }
  };
}

/** Whether Redis does not let this user run a command, or does not know it: that passes only when somebody mends it. */
export function isForbidden(error: unknown): boolean {
  return (
    error instanceof Unavailable &&
    error.cause instanceof Error &&
    /^(?:NOPERM|NOAUTH|ERR unknown command)/.test(error.cause.message)
  );
}

/** Refuses clients whose settings break the promise that no command is sent after a failure was reported, or that end the process. */
function demandSafe(client: RedisClient): void {
  if (typeof client.sendCommand !== "function" || (client.options && client.options.disableOfflineQueue !== true)) {
    throw new TypeError(
      "Cannot count units with this client: give one of node-redis with disableOfflineQueue: true, as it would otherwise keep commands until there is a connection, when nobody waits for them",
    );
  }
  if (client.listenerCount?.("error") === 0) {
    throw new TypeError(
      'Cannot count units with this client as it ends the process with the first lost connection while nobody listens: add client.on("error", …)',
    );
  }
}
