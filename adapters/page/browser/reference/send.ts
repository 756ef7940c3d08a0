// Sends the request of a form, with the visitor's key.
import { DotSegments, hasDotSegments } from "./request.ts";
import type { PlannedRequest } from "./request.ts";
import type { Received } from "./drafts.ts";

/** Sends a request. Throws `DotSegments` for one that a browser would send elsewhere, and what `fetch` throws, also for a key that no header field can carry. */
export async function send(request: PlannedRequest, key: string | undefined, signal: AbortSignal): Promise<Received> {
  if (hasDotSegments(request)) throw new DotSegments();
  const { method, url, keyForm, body } = request;
  const headers = new Headers(body && { "Content-Type": body.contentType });
  if (key !== undefined && keyForm === "X-API-Key") headers.set("X-API-Key", key);
  if (key !== undefined && keyForm === "Authorization") headers.set("Authorization", `ApiKey ${key}`);
  const began = performance.now();
  // The browser's cache would hide what the server says.
  const response = await fetch(url, { method, headers, cache: "no-store", signal, ...(body && { body: body.text }) });
  const text = await response.text();
  return { status: response.status, milliseconds: performance.now() - began, headers: response.headers, text };
}
