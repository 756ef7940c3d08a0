// `bun run` serves the default export of a module, on the address that it names.
import worker from "./worker_engines.ts";

export default { ...worker, hostname: "127.0.0.1", port: 0 };
