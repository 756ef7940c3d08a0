// A server under Bun or Deno: our fetch handler, Hono that does the same work, or a constant `Response`. A second
// port reports the processor time used so far, and sets the body of the constant.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { cpuUsage } from "node:process";
import { createMemoryStore } from "../../../adapters/memory_store.ts";
import { fetchHandler } from "../../../adapters/fetch_http.ts";
import { nodeSha256 } from "../../../adapters/node/digest.ts";
import { requestIds, systemClock } from "../../../adapters/system.ts";
import { createApi } from "../../../core/mod.ts";
import type { KeyEntry, UtcMillis } from "../../../core/mod.ts";
import { sampleObservations } from "../../../fixtures/sample.ts";
import { createHonoApp } from "../http/hono_app.ts";
import type { HonoModule } from "../http/hono_app.ts";
import type { WorkSetup } from "../http/work.ts";
import { peersIn } from "../support/peers.ts";

/** The set-up of a server, passed as JSON on its command line. */
export interface ServeSetup extends WorkSetup {
  readonly kind: "constant" | "control" | "mazaneh" | "hono";
  /** The entry of the only key in `keys`. */
  readonly entry: KeyEntry;
}

type Handle = (request: Request) => Response | Promise<Response>;

/** The parts of the two runtimes that are used here. */
interface Runtimes {
  readonly Bun?: { serve(options: object): { readonly port: number } };
  readonly Deno?: { serve(options: object, handle: Handle): { readonly addr: { readonly port: number } } };
}

let constant = new Uint8Array();
const setup = JSON.parse(process.argv[2]!) as ServeSetup;
const handle = await handlerOf(setup);
const port = serve(handle);
const control = createServer((req, res) => {
  const parts: Buffer[] = [];
  req.on("data", (part: Buffer) => parts.push(part));
  req.on("end", () => {
    if (req.method === "POST") constant = new Uint8Array(Buffer.concat(parts));
    const { user, system } = cpuUsage();
    res.end(String(user + system));
  });
});
control.listen(0, "127.0.0.1", () => console.log(`ports ${port} ${(control.address() as AddressInfo).port}`));

async function handlerOf(given: ServeSetup): Promise<Handle> {
  if (given.kind === "mazaneh") return ours(given);
  if (given.kind === "hono") {
    const app = createHonoApp((await peersIn(given.home).import("hono")) as HonoModule, given);
    return (request) => app.fetch(request);
  }
  const headers = { "Content-Type": "application/json; charset=utf-8" };
  return () => new Response(constant, { headers });
}

function ours({ now, keys, entry }: ServeSetup): Handle {
  const store = createMemoryStore();
  const [dailyUnits = 1] = Object.values(keys);
  store.observations.append([...sampleObservations(now as UtcMillis)]);
  store.accounts.update([
    { op: "plan.patch", name: "MANY", dailyUnits, attributionRequired: false },
    { op: "key.create", entry, plan: "MANY" },
  ]);
  return fetchHandler(createApi({ clock: systemClock, requestIds, sha256: nodeSha256, ...store }));
}

function serve(fetch: Handle): number {
  const { Bun, Deno } = globalThis as Runtimes;
  const place = { port: 0, hostname: "127.0.0.1" };
  if (Bun) return Bun.serve({ fetch, ...place }).port;
  if (Deno) return Deno.serve({ ...place, onListen: () => undefined }, fetch).addr.port;
  throw new TypeError("Cannot serve as this is neither Bun nor Deno");
}
