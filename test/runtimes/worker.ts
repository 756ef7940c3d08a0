// The app as a fetch handler. `deno serve` and `bun run` serve its default export; workerd runs a bundle of it.
import { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import { createApp, createStore } from "./app.ts";

let handle: Promise<ReturnType<typeof fetchHandler>> | undefined;

export default {
  // Bun listens on this address.
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request: Request): Promise<Response> {
    // Created at the first request, because Workers provide no random bytes and no time while a module loads.
    return (await (handle ??= createStore().then((store) => fetchHandler(createApp(store)))))(request);
  },
};
