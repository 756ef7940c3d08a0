// Processor time of a request in the process, compared with the usual code: a URL object, Maps, `JSON.stringify`.
//   npx tsx test/bench/core.ts [--routes one,list] [--ms 150] [--rounds 5]
import { runBuilt } from "./support/processes.ts";

await runBuilt("test/bench/core/main.ts");
