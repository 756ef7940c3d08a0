// The app on Node, started in the way that the first argument names. Prints its address.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createNodeServer, nodeListener } from "../../adapters/http/node/mod.ts";
import { serveFetch } from "../support/fetch_bridge.ts";
import { createApp, createStore } from "./app.ts";
import worker from "./worker.ts";

const [, , way] = process.argv;
console.log(`Listening on ${await listen()}`);

async function listen(): Promise<string> {
  if (way === "fetch") return (await serveFetch(worker.fetch)).origin;
  const api = createApp(await createStore());
  if (way === "server") {
    const server = createNodeServer(api);
    return `http://127.0.0.1:${(await server.listen({ host: "127.0.0.1", port: 0 })).port}`;
  }
  const server = createServer(nodeListener(api)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
