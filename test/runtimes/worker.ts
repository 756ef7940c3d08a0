// The app as a fetch handler. `deno serve` and `bun run` serve the default export of a module; it is bundled for workerd.
import { fetchHandler } from "../../adapters/http/fetch_handler.ts";
import { createApp, createStore } from "./app.ts";

let handle: Promise<ReturnType<typeof fetchHandler>> | undefined;

export default {
  // Where Bun listens.
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request: Request): Promise<Response> {
    // Not while the module loads, when Workers provide neither random bytes nor time.
    return (await (handle ??= createStore().then((store) => fetchHandler(createApp(store)))))(request);
  },
};
