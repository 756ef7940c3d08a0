// Processor time of a request without sockets, compared with code that uses a URL object, Maps, `JSON.stringify`.
//   npx tsx test/bench/core.ts [--rounds 5]
import { runBuilt } from "./support/processes.ts";

await runBuilt("test/bench/core/main.ts");
