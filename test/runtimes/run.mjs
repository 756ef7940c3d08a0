// Serves the app in every runtime and compares their answers, byte for byte, with those of node:http. Then runs the client
// in every runtime, and compares what it gets.
//
//   node test/runtimes/run.mjs                       Bun, Deno and workerd beside the running Node
//   node test/runtimes/run.mjs workerd node24        only these beside the running Node
import { register } from "tsx/esm/api";
import { RUNTIME_NAMES, fetchRuntime } from "./fetch_runtimes.mjs";

if (!process.features.typescript) register();
const { compareRuntimes } = await import("./compare.ts");
const { compareClients } = await import("./client.ts");

const names = process.argv.slice(2);
const known = RUNTIME_NAMES.filter((name) => name !== "miniflare");
const unknown = names.find((name) => !known.includes(name));
if (unknown !== undefined) throw new RangeError(`Cannot run a runtime as its name must be one of ${known.join(", ")}: received "${unknown}"`);

const wanted = names.length > 0 ? names : ["bun", "deno", "workerd"];
const programs = new Map(wanted.map((name) => [name, fetchRuntime(name)]));
const servers = await compareRuntimes(programs);
process.exitCode = (await compareClients(programs)) && servers ? 0 : 1;
