/** Lets a child process do what its parent sends, one order after the other, and send back each outcome; it ends with a failure of one. */
export function answerOrders(act: (order: unknown) => Promise<unknown>): void {
  process.on("message", (message) => {
    if (message === "cpu") return; // probe.ts answers it.
    act(message).then(
      (outcome) => process.send!(outcome),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  });
  process.channel?.ref();
  // An order that comes before this listener would be lost.
  process.send!("ready");
}
