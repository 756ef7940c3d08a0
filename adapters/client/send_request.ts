import { PriceError } from "../../core/client_entry.ts";
import type { ClientSettings } from "./client_options.ts";
import { noAnswer, unexpected } from "./failures.ts";
import { withSignal } from "./with_signal.ts";

/** An answer with its whole body. */
export interface Received {
  readonly response: Response;
  readonly text: string;
}

/**
 * Sends one request and reads the answer with its body within `timeoutMs`. Rejects with a `PriceError` after a network
 * failure, after a timeout, or if the body is too long. Rejects with the reason of `signal` once `signal` is aborted.
 */
export async function request(
  { send, timeoutMs, maxBytes }: Pick<ClientSettings, "send" | "timeoutMs" | "maxBytes">,
  { url, headers, signal }: Readonly<{ url: string; headers: Record<string, string>; signal: AbortSignal | undefined }>,
): Promise<Received> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    return await withSignal(signal, (reject) => {
      timer = setTimeout(() => reject(noAnswer("TIMEOUT", `No answer within ${timeoutMs} ms`)), timeoutMs);
      // Does not follow redirects, because the key must not reach another server.
      return receive(() => send(url, { headers, redirect: "manual", signal: controller.signal }), maxBytes);
    });
  } finally {
    clearTimeout(timer);
    controller.abort(); // ends the request if it is still open or its body is unread
  }
}

async function receive(send: () => Promise<Response>, maxBytes: number): Promise<Received> {
  try {
    const response = await send();
    return { response, text: await readText(response, maxBytes) };
  } catch (error) {
    if (error instanceof PriceError) throw error;
    // Node only says "fetch failed"; `cause` has the reason, or only a code if the host has several addresses.
    const { cause } = Object(error) as { readonly cause?: { readonly message?: unknown; readonly code?: unknown } };
    throw noAnswer("NETWORK_ERROR", `The connection failed: ${cause?.message || cause?.code || error}`, error);
  }
}

/** Counts bytes after decompression, because a small compressed body could otherwise fill the memory. */
async function readText(response: Response, maxBytes: number): Promise<string> {
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
    if (bytes > maxBytes) throw unexpected(response, `The answer is longer than ${maxBytes} bytes`);
    text += decoder.decode(value, { stream: true });
  }
}
