import { refusalOf } from "./client.ts";
import type { Send } from "./client.ts";

/** Runs a Lua script in Redis, as one act, on the keys that it names. Throws as `Send` does. */
export type Run = (keys: readonly string[], args: readonly string[]) => Promise<unknown>;

/** Makes the function that runs a script: by its digest, so that its text is sent only once to each Redis. */
export function createScript(send: Send, lua: string): Run {
  let sha1: Promise<string> | undefined;
  return async (keys, args) => {
    const rest = [String(keys.length), ...keys, ...args];
    try {
      return await send(["EVALSHA", await (sha1 ??= sha1Of(lua)), ...rest]);
    } catch (error) {
      // This is an answer: the script did not run, so it may be sent again.
      if (!refusalOf(error).startsWith("NOSCRIPT")) throw error;
      return send(["EVAL", lua, ...rest]);
    }
  };
}

async function sha1Of(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
