import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { err, ok } from "../../../core/internal.ts";
import { type BodyBytes, GrowingBuffer } from "../request_body.ts";

/** A body that is being collected. */
export type CollectedBody = ReturnType<typeof collectBody>;

/** Called whenever the memory charged for a body changes. */
export type OnBodyChange = (message: IncomingMessage) => void;

/** The least memory charged for an arriving body: 64 bodies reach an address's limit, and then slow ones are cut. */
const ARRIVING_BODY_BYTES = 256 << 10;
/** Once this many bytes have arrived, reading stops until the API asks for the body. */
const MAX_UNASKED_BYTES = 16_384;
/** After this many chunks, other clients get their turn. Without a limit, Node may read 320,000 chunks at once. */
const CHUNKS_IN_A_TURN = 1_000;

/** Starts to collect a body at once, because each unread chunk, even of one byte, stays in memory as an object. */
export function collectBody(req: IncomingMessage, onChange?: OnBodyChange) {
  const body = new GrowingBuffer();
  let limit: number | undefined;
  let chunks = 0;
  let readOn: (() => void) | undefined;
  let settle!: (result: BodyBytes) => void;
  const arrived = new Promise<BodyBytes>((resolve) => (settle = resolve));

  function resume(): void {
    readOn?.();
    readOn = undefined;
  }

  req.on("data", (chunk: Buffer) => {
    if (limit !== undefined && body.length + chunk.length > limit) {
      readOn ??= pauseReading(req.socket);
      return settle(err("TOO_LARGE"));
    }
    const { bytes } = body;
    body.add(chunk);
    if (body.bytes !== bytes) onChange?.(req);
    const isUnasked = limit === undefined && body.length > MAX_UNASKED_BYTES;
    if (readOn || (++chunks % CHUNKS_IN_A_TURN > 0 && !isUnasked)) return;
    readOn = pauseReading(req.socket);
    if (!isUnasked) setImmediate(resume);
  });
  req.once("end", () => {
    resume(); // lets Node read the next request on this connection
    onChange?.(req);
    settle(ok(body.filled()));
  });
  // `close` comes after `end`, or instead of `end` if the client leaves.
  req.once("close", () => settle(err("INCOMPLETE")));
  if (req.destroyed) settle(err("INCOMPLETE"));

  return {
    /** Resolves to the whole body. Fails as soon as more than `most` bytes have arrived. */
    read(most: number): Promise<BodyBytes> {
      limit = most;
      if (body.length > most) return Promise.resolve(err("TOO_LARGE"));
      resume();
      return arrived;
    },
    /** The memory charged for the body. */
    heldBytes: (): number => (req.complete ? body.bytes.length : Math.max(ARRIVING_BODY_BYTES, body.bytes.length)),
  };
}

const pauses = new WeakMap<Socket, number>();

/** Pauses a socket until the returned function is called. Pausing the request would keep each chunk as an object. */
function pauseReading(socket: Socket): () => void {
  const others = pauses.get(socket) ?? 0;
  pauses.set(socket, others + 1);
  if (others === 0) socket.on("resume", stayPaused);
  socket.pause();
  return () => {
    const left = pauses.get(socket)! - 1;
    pauses.set(socket, left);
    if (left === 0) socket.off("resume", stayPaused).resume();
  };
}

/** Pauses the socket again whenever the request resumes it after a read. */
function stayPaused(this: Socket): void {
  this.pause();
}
