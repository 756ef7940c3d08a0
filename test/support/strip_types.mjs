// Lets Node 20 run the TypeScript of the sources with its lines and columns as they are: `npm test -- --coverage` gives it to every process.
// tsx writes each file as one line, and c8 would count every line as covered.
import { register } from "node:module";

register("./strip_types_hook.mjs", import.meta.url);
