// The app as a fetch handler. `deno serve` runs it as it is; it is bundled for workerd.
import { fetchHandler } from "../../adapters/fetch_http.ts";
import { createApp, createStore } from "./app.ts";

let handle: Promise<ReturnType<typeof fetchHandler>> | undefined;

export default {
  async fetch(request: Request): Promise<Response> {
    // Not while the module loads, when Workers provide neither random bytes nor time.
    return (await (handle ??= createStore().then((store) => fetchHandler(createApp(store)))))(request);
  },
};
