// The app as a fetch handler: run as it is by `deno serve`, bundled for workerd.
import { fetchHandler } from "../../adapters/fetch_http.ts";
import { createApp, createStore } from "./app.ts";

let handle: Promise<ReturnType<typeof fetchHandler>> | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    // Not while the module loads: Workers give neither random bytes nor time then.
    return (await (handle ??= createStore().then((store) => fetchHandler(createApp(store)))))(request);
  },
};
