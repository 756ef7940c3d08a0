import { err, ok, type Result } from "../result.ts";
import { type Failure, failure } from "./errors.ts";
import { fieldElements, withoutBlanks } from "./headers.ts";
import type { RequestFields } from "./messages.ts";

const CHALLENGE = ["WWW-Authenticate", "ApiKey"];
const CONFLICTING = /* @__PURE__ */ refusal("CONFLICTING_CREDENTIALS");
const MISSING = /* @__PURE__ */ refusal("API_KEY_MISSING");
const CREDENTIALS = /^(?:(apikey|bearer|basic|digest|negotiate)(?:[ \t]+|$))?(.*)/is;

/** A failure with status 401, and the header field that tells clients how to send a key. */
export function refusal(
  code: "API_KEY_MISSING" | "API_KEY_INVALID" | "CONFLICTING_CREDENTIALS",
): Result<never, Failure> {
  return err(failure(code, undefined, CHALLENGE));
}

/** The key in `X-API-Key`, in `Authorization: ApiKey`, or in both. Source: contract, Authentication 1 to 5. */
export function presentedKey(headers: RequestFields): Result<string, Failure> {
  const sent = headers.get("x-api-key");
  // Nearly every request has only `X-API-Key`, or no key at all.
  if (typeof headers.get("authorization") !== "string") {
    const alone = typeof sent === "string" ? withoutBlanks(sent) : "";
    if (alone === "") return MISSING;
    if (!alone.includes(",")) return ok(alone);
  }
  // The values of a repeated field arrive joined with commas, which no key contains.
  const keys = new Set(fieldElements(headers, "x-api-key"));
  let bearer = false;
  let scheme = "";
  for (const credentials of fieldElements(headers, "authorization")) {
    const [, named, value = ""] = CREDENTIALS.exec(credentials) ?? [];
    // A value without a scheme belongs to the previous scheme: `ApiKey a, b` are two keys.
    scheme = named?.toLowerCase() ?? scheme;
    if (scheme === "apikey" && value !== "") keys.add(value);
    if (scheme === "bearer") bearer = true;
  }
  if (keys.size > 1 || (keys.size === 1 && bearer)) return CONFLICTING;
  const [key] = keys;
  return key === undefined ? MISSING : ok(key);
}
