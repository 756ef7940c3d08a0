// Measures the processor time of a request without sockets. Compares it with code that uses URL objects, Maps and
// `JSON.stringify`.
//   npx tsx test/bench/core.ts [--rounds 5]
import { spawnSync } from "node:child_process";
import { buildPrograms } from "./support/processes.ts";

const MAIN = "test/bench/core/main.ts";
const args = ["--expose-gc", (await buildPrograms(MAIN))(MAIN), ...process.argv.slice(2)];
process.exit(spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1);
