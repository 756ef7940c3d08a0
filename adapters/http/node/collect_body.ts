import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { err, ok } from "../../../core/internal.ts";
import { type BodyBytes, GrowingBuffer } from "../request_body.ts";

/** Gives the whole body once it has arrived, or fails as soon as it is longer than `limit` bytes. */
export type CollectedBody = (limit: number) => Promise<BodyBytes>;

/** Called with the memory that the body of a request takes, each time it changes. */
export type HoldBody = (message: IncomingMessage, bytes: number) => void;

/** Once so much has arrived, reading waits until the API asks for the body. */
const MAX_UNASKED_BYTES = 16_384;
/** After so many chunks other clients have their turn: Node would read up to 32 times from a socket, 10,000 tiny chunks each time. */
const CHUNKS_IN_A_TURN = 1_000;

/** Collects a body from now on, as a chunk that is not taken stays in memory as an object, and may be a single byte. */
export function collectBody(req: IncomingMessage, holdBody?: HoldBody): CollectedBody {
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

  holdBody?.(req, 0);
  req.on("data", (chunk: Buffer) => {
    if (limit !== undefined && body.length + chunk.length > limit) {
      readOn ??= pauseReading(req.socket);
      return settle(err("TOO_LARGE"));
    }
    const { bytes } = body;
    body.add(chunk);
    if (body.bytes !== bytes) holdBody?.(req, body.bytes.length);
    const isUnasked = limit === undefined && body.length > MAX_UNASKED_BYTES;
    if (readOn || (++chunks % CHUNKS_IN_A_TURN > 0 && !isUnasked)) return;
    readOn = pauseReading(req.socket);
    if (!isUnasked) setImmediate(resume);
  });
  req.once("end", () => {
    holdBody?.(req, body.bytes.length);
    settle(ok(body.filled()));
  });
  // Comes after `end`, or instead of it when the client goes away.
  req.once("close", () => settle(err("INCOMPLETE")));
  if (req.destroyed) settle(err("INCOMPLETE"));

  return (most) => {
    limit = most;
    if (body.length > most) settle(err("TOO_LARGE"));
    resume();
    return arrived;
  };
}

/** Stops reading; the function returned reads on. A request that is paused itself would keep what was read before as objects. */
function pauseReading(socket: Socket): () => void {
  // The request resumes its socket after each read.
  const stay = (): void => void socket.pause();
  socket.on("resume", stay).pause();
  return () => void socket.off("resume", stay).resume();
}
