// Runs the example for the edge in miniflare. The last units of an account are granted once, however many callers want them.
import { register } from "tsx/esm/api";
import { fetchRuntime } from "./fetch_runtimes.mjs";

if (!process.features.typescript) register();
const { checkEdgeExample } = await import("./edge.ts");

const path = fetchRuntime("miniflare");
if (path) {
  await checkEdgeExample(path);
  console.log("the example for the edge holds in miniflare");
}
