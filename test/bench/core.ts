// Processor time of a request within the process, without HTTP: `createApi` beside the usual way to write the same.
//
//   npx tsx test/bench/core.ts [--rounds N] [--routes one,list] [--ms 150]
import { runBuilt } from "./support/program.ts";

await runBuilt("test/bench/core/main.ts");
