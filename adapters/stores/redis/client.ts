import { Unavailable } from "../../../core/mod.ts";
import { inTime } from "../shared/answer_in_time.ts";

/** A connected client of Redis or Valkey, as made by `createClient` of the package `redis`. Its creator closes it. */
export interface RedisClient {
  sendCommand(args: readonly string[]): Promise<unknown>;
  readonly options?: { readonly disableOfflineQueue?: boolean | undefined };
  listenerCount?(event: "error"): number;
  on?(event: "error", listener: (error: unknown) => void): unknown;
}

/**
 * Sends a command, once. Throws `Unavailable`, with the client's error as cause, if Redis refuses the command, cannot
 * be reached, or does not answer in time. Unless Redis has refused the command, the command may have been carried out.
 */
export type Send = (args: readonly [command: string, ...args: string[]]) => Promise<unknown>;

/** Why each client has lost its connection. Errors of commands say only that there is no connection. */
const lastErrors = new WeakMap<RedisClient, string>();

/** The message of an error, without a command's arguments: for HELLO and AUTH they include the password. */
export function textOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/,? with args beginning with:[^]*/, "").slice(0, MAX_SHOWN);
}

/** How many characters of an answer are shown in a message. */
const MAX_SHOWN = 300;

/** The beginning of each answer with which Redis refuses a command. */
const REFUSAL = /^[A-Z]+ /;

/**
 * Makes the function that sends commands through a client. Throws `TypeError` for unsafe clients: those that would send
 * a command long after its caller has gone, and those that could end the process.
 *
 * Redis answers in order. If an answer is late, no other command is sent until the answer arrives, because the other
 * command would also be answered too late, and might take units although its caller has gone. The pause also lets the
 * client notice a dead connection, because each command restarts the client's idle timers.
 *
 * @param timeoutMs How long to wait for an answer.
 */
export function createSend(client: RedisClient, timeoutMs: number): Send {
  demandSafe(client);
  if (!lastErrors.has(client)) {
    lastErrors.set(client, "");
    client.on?.("error", (error: unknown) => void lastErrors.set(client, textOf(error)));
  }
  let late = 0;
  const tooLate = (): Unavailable => new Unavailable(`Redis has not answered within ${timeoutMs} ms`);
  return async (args) => {
    if (late > 0) throw tooLate();
    const answer = client.sendCommand(args);
    const settled = (): void => void late--;
    try {
      return await inTime(answer, timeoutMs, () => {
        late++;
        answer.then(settled, settled);
        throw tooLate();
      });
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      const text = textOf(error);
      if (REFUSAL.test(text)) throw new Unavailable(`Redis refuses: ${text}`, 5, { cause: error });
      const reason = lastErrors.get(client) ?? "";
      const more = reason === "" || reason === text ? "" : ` (${reason})`;
      throw new Unavailable(`Redis does not answer: ${text}${more}`, 5, { cause: error });
    }
  };
}

/** Whether Redis does not know the command or forbids it to this user. Only an operator can solve these problems. */
export function isForbidden(error: unknown): boolean {
  return (
    error instanceof Unavailable &&
    error.cause instanceof Error &&
    /^(?:NOPERM|NOAUTH|ERR unknown command)/.test(error.cause.message)
  );
}

/** Throws for clients that would send a command after reporting its failure, or that would end the process. */
function demandSafe(client: RedisClient): void {
  if (typeof client.sendCommand !== "function" || (client.options && client.options.disableOfflineQueue !== true)) {
    throw new TypeError(
      "Cannot count units with this client: pass a client of node-redis with disableOfflineQueue: true, because commands would otherwise be sent when their callers have gone",
    );
  }
  if (client.listenerCount?.("error") === 0) {
    throw new TypeError(
      'Cannot count units with this client because it has no error listener, and a lost connection would end the process: add client.on("error", …)',
    );
  }
}
