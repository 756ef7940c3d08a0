// Runs the example for the edge in miniflare: the last units of an account are given once, however many ask at once.
import { register } from "tsx/esm/api";
import { fetchRuntime } from "./fetch_runtimes.mjs";

if (!process.features.typescript) register();
const { checkEdgeExample } = await import("./edge.ts");

const path = fetchRuntime("miniflare");
if (path) {
  await checkEdgeExample(path);
  console.log("the example for the edge holds in miniflare");
}
