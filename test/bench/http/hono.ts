// The service in Hono on Node, with Hono's own server.
import { peersIn } from "../support/peers.ts";
import { createHonoApp } from "./hono_app.ts";
import type { HonoModule } from "./hono_app.ts";
import { readSetup, tellPort } from "./peer_fields.ts";

interface NodeServer {
  serve(options: object, ready: (info: { readonly port: number }) => void): void;
}

const setup = readSetup();
const { require } = peersIn(setup.home);
const app = createHonoApp(require("hono") as HonoModule, setup);
const { serve } = require("@hono/node-server") as NodeServer;
serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => tellPort(port));
