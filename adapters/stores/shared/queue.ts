/** Makes a queue: its calls run one after the other. */
export function createQueue() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Calls `act` when all earlier calls have ended, whether they succeeded or failed. */
    inTurn<T>(act: () => Promise<T>): Promise<T> {
      const result = last.then(act);
      last = result.catch(() => {});
      return result;
    },
    /** Resolves when no call is waiting or in progress. */
    async idle(): Promise<void> {
      for (let awaited: unknown; awaited !== last; await awaited) awaited = last;
    },
  };
}
