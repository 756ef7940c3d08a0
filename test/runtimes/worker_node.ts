// The app on Node, started in the way that the first argument names. Prints its address.
import { createNodeServer, nodeListener } from "../../adapters/http/node/mod.ts";
import { serveFetch } from "../support/fetch_bridge.ts";
import { startListener } from "../support/serve_listener.ts";
import { createApp, createStore } from "./app.ts";
import worker from "./worker.ts";

const [, , way] = process.argv;
console.log(`Listening on ${await listen()}`);

async function listen(): Promise<string> {
  if (way === "fetch") return (await serveFetch(worker.fetch)).origin;
  const api = createApp(await createStore());
  if (way === "listener") return (await startListener(nodeListener(api))).origin;
  return `http://127.0.0.1:${(await createNodeServer(api).listen({ host: "127.0.0.1", port: 0 })).port}`;
}
