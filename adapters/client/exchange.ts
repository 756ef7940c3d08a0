import { PriceError } from "../../core/mod.ts";
import { noAnswer, unexpected } from "./failures.ts";
import type { ClientSettings } from "./settings.ts";

/** An answer with its whole body. */
export interface Exchange {
  readonly response: Response;
  readonly text: string;
}

/** Most bytes of a body: forty times the candles that a server of Mazaneh answers at once by default. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;

/**
 * Sends one request and reads the answer with its body in `timeoutMs`. Rejects with the reason of `signal` once it is
 * aborted, and with a `PriceError` for a failure of the network, a time-out, a redirect, and a body without end.
 */
export async function exchange(settings: Pick<ClientSettings, "send" | "timeoutMs">, url: string, headers: Record<string, string>, signal?: AbortSignal): Promise<Exchange> {
  const { send, timeoutMs } = settings;
  signal?.throwIfAborted();
  const controller = new AbortController();
  let stop: (reason: unknown) => void = () => undefined;
  // Raced, as a `fetch` that somebody wrote may not heed its signal.
  const stopped = new Promise<never>((_, reject) => (stop = reject));
  const end = (reason: unknown): void => {
    stop(reason);
    controller.abort(reason);
  };
  const onAbort = (): void => end(signal!.reason);
  signal?.addEventListener("abort", onAbort);
  const timer = setTimeout(() => end(noAnswer("TIMEOUT", `The server did not answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([receive(send, url, { headers, redirect: "manual", signal: controller.signal }), stopped]);
  } catch (error) {
    controller.abort(); // of a body that is left unread
    throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

async function receive(send: ClientSettings["send"], url: string, init: RequestInit): Promise<Exchange> {
  try {
    const response = await send(url, init);
    const { status, type } = response;
    // A browser does not show the status of a redirect. None is followed: the key must not reach another server.
    if (type === "opaqueredirect" || (status >= 300 && status < 400 && status !== 304)) throw unexpected(response, "The server redirects, which is not followed");
    return { response, text: await readText(response) };
  } catch (error) {
    if (error instanceof PriceError) throw error;
    throw noAnswer("NETWORK_ERROR", "The server could not be reached, or the connection broke", error);
  }
}

async function readText(response: Response): Promise<string> {
  const { body } = response;
  if (!body) return "";
  const reader: { read(): Promise<{ readonly value?: Uint8Array | undefined }> } = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { value } = await reader.read();
    if (!value) return text + decoder.decode();
    bytes += value.length;
    if (bytes > MAX_BODY_BYTES) throw unexpected(response, `The answer is longer than ${MAX_BODY_BYTES} bytes`);
    text += decoder.decode(value, { stream: true });
  }
}
