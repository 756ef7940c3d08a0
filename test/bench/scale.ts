// Whether an answer costs more when there are more observations: the API within the process, on memory stores of
// growing size. The stores hold the same assets over the same 71 days at growing density, so every answer has the
// same number of records.
//
//   npx tsx test/bench/scale.ts [--rounds N] [--sizes 10000,1000000,10000000] [--ms 100]
import { runBuilt } from "./support/program.ts";

await runBuilt("test/bench/scale/main.ts");
