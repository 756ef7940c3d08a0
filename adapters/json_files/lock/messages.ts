import type { Socket } from "node:net";

// What the holder of a store and other processes send each other on a connection to the lock's socket: JSON lines.
// The holder sends `{"serving":true}` when it takes requests. A request is `{"id":1,"op":"info"}`, its answer
// `{"id":1,"result":{…}}` or `{"id":1,"error":{"name":…,"message":…}}`. The holder sends `{"serving":false}` when it
// closes the store: requests without an answer were not carried out, and will not be.

/** The longest message. An append of the largest size is shorter. */
export const MAX_MESSAGE_BYTES = 64 << 20;

/** Sends a message. */
export function send(socket: Socket, message: object): void {
  socket.write(`${JSON.stringify(message)}\n`);
}

/** The lines that arrive on a connection. Throws for one that is too long. */
export async function* linesOf(socket: Socket): AsyncGenerator<string> {
  const lines: string[] = [];
  const takeLines = lineSplitter((line) => lines.push(line));
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    takeLines(chunk);
    yield* lines.splice(0);
  }
}

/** Returns a function that takes chunks of a connection and passes whole lines on. Throws for one that is too long. */
export function lineSplitter(takeLine: (line: string) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  return (chunk) => {
    let start = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
      takeLine(Buffer.concat([...parts, chunk.subarray(start, end)]).toString());
      parts = [];
      length = 0;
      start = end + 1;
    }
    parts.push(chunk.subarray(start));
    length += chunk.length - start;
    if (length > MAX_MESSAGE_BYTES) throw new RangeError("A message is too long");
  };
}
