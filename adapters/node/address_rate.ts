import { randomBytes } from "node:crypto";
import { rateLimited } from "../../core/internal.ts";
import type { Failure, RequestRate } from "../../core/mod.ts";
import { networkOf } from "./clients.ts";

/** Makes the function that refuses requests from an address, or from the /64 network of an IPv6 address, above a rate. */
export function createAddressLimit(rate: RequestRate): (address: string | undefined) => Failure | undefined {
  // Whoever can choose among many addresses must not find out which ones count as one.
  const salt = randomBytes(16).toString("hex");
  return (address) => {
    const waitMs = rate.take(salt + networkOf(address), performance.now());
    return waitMs > 0 ? rateLimited(waitMs, "address") : undefined;
  };
}
