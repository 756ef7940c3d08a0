/** Messages to itself, by which a listener knows that it hears. */
export interface Pings {
  /** Whether a payload is such a message, of whatever listener. */
  hear(payload: string): boolean;
  /** Sends a message, and resolves once it has been sent and heard. */
  send(send: (message: string) => Promise<unknown>): Promise<void>;
  /** Rejects what waits, and all later ones. */
  fail(): void;
}

const PREFIX = "ping ";

/** Makes the messages of one listener. */
export function createPings(): Pings {
  const waiting = new Map<string, { readonly resolve: () => void; readonly reject: (error: Error) => void }>();
  let failed = false;

  return {
    hear(payload) {
      if (!payload.startsWith(PREFIX)) return false;
      waiting.get(payload)?.resolve();
      return true;
    },
    async send(send) {
      const message = PREFIX + crypto.randomUUID();
      const heard = new Promise<void>((resolve, reject) => waiting.set(message, { resolve, reject }));
      if (failed) waiting.get(message)!.reject(ended());
      try {
        await Promise.all([heard, send(message)]);
      } finally {
        waiting.delete(message);
      }
    },
    fail() {
      failed = true;
      for (const { reject } of waiting.values()) reject(ended());
    },
  };
}

function ended(): Error {
  return new Error("The listening connection has ended");
}
